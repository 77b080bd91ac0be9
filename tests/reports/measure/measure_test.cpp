#include "reports/measure/measure.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/measure/publish.h"
#include "reports/measure/rows.h"
#include "reports/store/files.h"
#include "tests/reports/measure/measure_support.h"

using namespace haruspex;
using namespace haruspex::measure;
namespace fs = std::filesystem;

namespace {

const std::atomic<bool> never{false};
void ignore(const Progress&) {}

// The indices of problems that need no compiler, one of each making.
constexpr std::array<std::uint64_t, 5> written_indices{0, 4, 5, 8, 16};

struct Bench {
    Workplace workplace = test::workplace_without_compiler();
    Series series;
    Options options;
    explicit Bench(const fs::path& out, int jobs = 1) {
        const Series all = generated(1, 100, workplace);
        series.description = "some";
        series.count = written_indices.size();
        series.item = [all](std::uint64_t index) { return all.item(written_indices.at(index)); };
        options.out = out;
        options.jobs = jobs;
        options.budget.limits.cpu = std::chrono::seconds(300);
        options.budget.limits.wall = std::chrono::seconds(900);
    }
    std::vector<Record> run() const {
        const auto records = measure::run(series, workplace.identity, options, never, ignore);
        INFO((records ? std::string() : to_string(records.error())));
        REQUIRE(records.has_value());
        return *records;
    }
    // measure.json without its times.
    std::string published(const std::vector<Record>& records) const {
        REQUIRE(publish(options.out, {header(series, workplace.identity, options), records, {}, {}}).has_value());
        auto json = nlohmann::ordered_json::parse(*store::read_file(options.out / "measure.json"));
        CHECK(json.contains("times"));
        json.erase("times");
        return json.dump(1);
    }
};

void truncate(const fs::path& file, std::uintmax_t bytes) { fs::resize_file(file, fs::file_size(file) - bytes); }

}  // namespace

TEST_CASE("a measurement is the same for any number of workers, and when it was killed in between") {
    const tests::ScratchFolder scratch;
    const Bench one(scratch.path() / "one");
    const std::string expected = one.published(one.run());
    CHECK(expected.find("\"wrong_answers\": []") != std::string::npos);

    const Bench two(scratch.path() / "two", 2);
    CHECK(two.published(two.run()) == expected);

    // Truncate within the last line, as after a crash while writing; then at the end of a line.
    truncate(two.options.out / "cases.jsonl", 100);
    CHECK(two.published(two.run()) == expected);
    const auto text = *store::read_file(two.options.out / "cases.jsonl");
    std::ofstream(two.options.out / "cases.jsonl") << text.substr(0, text.find('\n', text.find('\n') + 1) + 1);
    CHECK(two.published(two.run()) == expected);
}

TEST_CASE("the validator and the equivalence checker decide what they should, and runs only refute") {
    const tests::ScratchFolder scratch;
    const Bench bench(scratch.path() / "out");
    for (const Record& r : bench.run()) {
        INFO(to_json(r));
        CHECK(r.no_problem.empty());
        const auto outcome = [&](Method method) { return r.find(method, Question::all_sizes)->answer.outcome; };
        CHECK(outcome(Method::validator) == (r.is_wrong ? Outcome::refuted : Outcome::proved));
        // Newer versions of isl fail on some relations (isl_map_simplify.c).
        const Answer& equivalence = r.find(Method::equivalence, Question::all_sizes)->answer;
        CHECK((equivalence.outcome == (r.is_wrong ? Outcome::undecided : Outcome::proved) ||
               equivalence.reason.starts_with("undecided: isl failed")));
        CHECK(outcome(Method::interpreter) == (r.is_wrong_at_own ? Outcome::refuted : Outcome::undecided));
        CHECK(outcome(Method::native) == Outcome::unsupported);
        for (const ProphecyTrial& trial : r.prophecies) {
            CHECK((!r.is_wrong_for(trial.question) || trial.answer.outcome != Outcome::proved));
        }
    }
}

TEST_CASE("a wrong program that its own sizes show to be wrong on other inputs only is wrong at these") {
    const tests::ScratchFolder scratch;
    Bench bench(scratch.path() / "out");
    // A wrong index that few inputs reveal at the problem's own sizes.
    constexpr std::uint64_t rarely_wrong = 143;
    const Series all = generated(1, 500, bench.workplace);
    const Item item = all.item(rarely_wrong);
    REQUIRE(item.problem.has_value());
    REQUIRE(item.problem->is_wrong);
    REQUIRE_FALSE(item.problem->is_wrong_at_own);
    bench.series.count = 1;
    bench.series.item = [item](std::uint64_t) { return item; };
    const auto records = bench.run();
    REQUIRE(records.size() == 1);
    const auto own = std::ranges::find_if(records[0].entries, [](const Entry& entry) {
        return entry.method == Method::validator && entry.question == Question::own_sizes;
    });
    REQUIRE(own != records[0].entries.end());
    CHECK(own->answer.outcome == measure::Outcome::refuted);
    CHECK(records[0].is_wrong_at_own);
}

TEST_CASE("a folder with another measurement is refused") {
    const tests::ScratchFolder scratch;
    Bench bench(scratch.path() / "out");
    bench.series.count = 1;
    bench.run();
    bench.options.methods = {Method::validator};
    const auto other = measure::run(bench.series, bench.workplace.identity, bench.options, never, ignore);
    REQUIRE_FALSE(other.has_value());
    CHECK(other.error().message.find("begun otherwise") != std::string::npos);
}

TEST_CASE("what another build measured is gone on with when that is allowed, and the page says who measured what") {
    const tests::ScratchFolder scratch;
    Bench bench(scratch.path() / "out");
    bench.series.count = 1;
    const std::string build = bench.run().at(0).build;
    const fs::path ledger = bench.options.out / "cases.jsonl";
    std::string text = *store::read_file(ledger);
    const std::string other = "haruspex 0.0.1 (0123456789abcdef), none";
    text.replace(text.find(build), build.size(), other);
    std::ofstream(ledger) << text;
    // Nothing remains to be measured.
    CHECK(bench.run().at(0).build == other);
    bench.series.count = 2;
    const auto refused = measure::run(bench.series, bench.workplace.identity, bench.options, never, ignore);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("cases.jsonl:2: measured by another build, " + other) != std::string::npos);
    bench.options.any_build = true;
    const auto records = bench.run();
    CHECK(records.at(0).build == other);
    CHECK(records.at(1).build == build);
    bench.published(records);
    const auto json = nlohmann::json::parse(*store::read_file(bench.options.out / "measure.json"));
    CHECK(json.at("times").at("builds") == nlohmann::json{{build, 1}, {other, 1}});
    const std::string page = *store::read_file(bench.options.out / "measure.html");
    CHECK(page.find("measured by " + other + ": 1<br>") != std::string::npos);
}

TEST_CASE("what was asked to stop keeps what it has") {
    const tests::ScratchFolder scratch;
    const Bench bench(scratch.path() / "out");
    std::atomic<bool> stop{false};
    const auto some =
        measure::run(bench.series, bench.workplace.identity, bench.options, stop, [&](const Progress& progress) {
            CHECK(progress.what == "programs");
            CHECK(progress.count == bench.series.count);
            stop = progress.done > 0;
        });
    REQUIRE(some.has_value());
    CHECK(!some->empty());
    CHECK(some->size() < bench.series.count);
    CHECK(bench.run().size() == bench.series.count);
}

TEST_CASE("a problem that cannot be had is said to be none") {
    const tests::ScratchFolder scratch;
    Bench bench(scratch.path() / "out");
    bench.series = generated(1, 3, bench.workplace);
    const auto records = bench.run();
    REQUIRE(records.size() == 3);
    CHECK(records[2].making.empty());  // to be lowered, which needs a compiler
    CHECK_FALSE(records[2].no_problem.empty());
    CHECK(bench.published(records).find("\"no_problem\": 2") != std::string::npos);
}

TEST_CASE("the page has a table behind each picture and lets nothing of a reason into its markup") {
    const tests::ScratchFolder scratch;
    Bench bench(scratch.path() / "out");
    auto records = bench.run();
    records[0].entries[0].answer = {Outcome::undecided, "<script>alert(1)</script> & more"};
    bench.published(records);
    const std::string page = *store::read_file(bench.options.out / "measure.html");
    CHECK(page.find("<script") == std::string::npos);
    CHECK(page.find("&lt;script&gt;") != std::string::npos);
    for (const char* const elsewhere : {"src=", "href=\"http", "url(http", "@import"}) {
        CHECK(page.find(elsewhere) == std::string::npos);
    }
    std::size_t figures = 0, folded = 0;
    for (std::size_t at = 0; (at = page.find("<figure>", at)) != std::string::npos; ++at) { ++figures; }
    for (std::size_t at = 0; (at = page.find("<summary>The numbers", at)) != std::string::npos; ++at) { ++folded; }
    CHECK(figures == folded);
}

TEST_CASE("a list of rows that cannot be read is refused with the reason") {
    const tests::ScratchFolder scratch;
    const auto refused = [&](const std::string& rows) {
        std::ofstream(scratch.path() / "rows.json") << rows;
        const auto series = rows_in(scratch.path(), {}, std::make_shared<test::NoCompiler>(), {});
        return series ? std::string() : to_string(series.error());
    };
    CHECK(refused("[{").find("rows.json") != std::string::npos);
    CHECK(refused(R"([{"row": "a"}])").find("case") != std::string::npos);
    CHECK(refused(R"([{"row": "a", "case": "nowhere"}])").find("nowhere.json") != std::string::npos);
    const fs::path benchmarks = fs::path(HARUSPEX_SOURCE_DIR) / "corpus/benchmarks";
    for (const char* const file : {"blur.json", "blur.sare", "blur.schedule"}) {
        fs::copy(benchmarks / file, scratch.path() / file);
    }
    const std::string meant = R"([{"row": "a", "case": "blur", "meant": ")";
    CHECK(refused(meant + "nowhere.sare\"}]").find("nowhere.sare") != std::string::npos);
    CHECK(refused(meant + "blur.schedule\"}]").find("expected \"sare\"") != std::string::npos);
    CHECK(refused(meant + "blur.sare\"}]").empty());
    for (const char* const effort : {"0", "-3", "1.5", "1000001", "\"much\""}) {
        const std::string why = refused(R"([{"row": "a", "case": "blur", "effort": )" + std::string(effort) + "}]");
        CHECK(why.find("a: expected an effort from 1 to 1000000, found " + std::string(effort)) != std::string::npos);
    }
    CHECK(refused(R"([{"row": "a", "case": "blur", "effort": 7}])").empty());
    for (const char* const none : {"[]", "{}", "3"}) {
        CHECK(refused(none).find("expected a list of rows") != std::string::npos);
    }
    const std::string blur = R"({"row": "a", "case": "blur")";
    CHECK(refused("[" + blur + "}, " + blur + "}]").find("two rows of one name: a") != std::string::npos);
    CHECK(refused("[" + blur + R"(, "size": {}}])").find("a: unknown key 'size'") != std::string::npos);
    CHECK(refused("[" + blur + R"(, "sizes": {"W": 9, "X": 9}}])").find("no parameter: X") != std::string::npos);
    CHECK(refused("[" + blur + R"(, "sizes": {"W": 9, "H": -9}}])").find("a size below 0: H") != std::string::npos);
    CHECK(refused("[" + blur + R"(, "assuming": "Z >= 2"}])").find("Z") != std::string::npos);
    const auto expects = [&](const std::string& expected) {
        return refused("[" + blur + R"(, "expected": )" + expected + "}]");
    };
    CHECK(expects(R"({"validator": {"own": "validated"}, "equivalence": {"all": "proved"}})").empty());
    CHECK(expects(R"({"oracle": {"own": "validated"}})").find("a: expected: no such method: oracle") !=
          std::string::npos);
    CHECK(expects(R"({"validator": {"some": "validated"}})").find("found some") != std::string::npos);
    CHECK(expects(R"({"validator": {"all": "fine"}})").find("no outcome: fine") != std::string::npos);
    const auto publishes = [&](const std::string& published) {
        return refused("[" + blur + R"(, "published": )" + published + "}]");
    };
    CHECK(publishes(R"({"about": "all", "thesis": "validated", "isa": "timeout"})").empty());
    CHECK(publishes(R"({"about": "all", "thesis": "fine", "isa": "timeout"})").find("not known: fine") !=
          std::string::npos);
    CHECK(publishes(R"({"about": "all", "thesis": "validated"})").find("isa") != std::string::npos);
    CHECK(publishes(R"({"about": "all", "who": 1})").find("unknown key 'who'") != std::string::npos);
    CHECK(refused("[" + blur + R"(, "sizes": {"W": 9}}])").find("a size for each parameter") != std::string::npos);
    std::ofstream(scratch.path() / "other.sare") << "sare blur(W) assuming W >= 1 {\n  f(x) = 1i32\n  output f on "
                                                    "{ [x] : 0 <= x < W }\n}\n";
    CHECK(refused(meant + "other.sare\"}]").find("has other parameters, inputs or outputs") != std::string::npos);
    const auto rows = rows_in(benchmarks, {}, std::make_shared<test::NoCompiler>(), {"halide", "14.0.0", 14});
    REQUIRE(rows.has_value());
    CHECK(rows->count == 18);
    CHECK(rows->item(0).name == "blur");
    CHECK(rows->item(0).problem.error() == "no compiler");
    const auto some = rows_in(benchmarks, {"harris", "conv"}, std::make_shared<test::NoCompiler>(), {});
    REQUIRE(some.has_value());
    REQUIRE(some->count == 2);
    CHECK(some->item(1).name == "harris");
    CHECK(some->description != rows->description);
    const auto nowhere = [](const std::string& target) {
        return std::optional(Error{target + " runs nowhere", {}, {}});
    };
    const auto refused_target = rows_in(benchmarks, {"conv"}, std::make_shared<test::NoCompiler>(), {}, nowhere);
    REQUIRE(!refused_target.has_value());
    CHECK(refused_target.error().message.find("conv: x86-64-linux-") != std::string::npos);
    const auto none = rows_in(benchmarks, {"haris"}, std::make_shared<test::NoCompiler>(), {});
    REQUIRE(!none.has_value());
    CHECK(none.error().message.find("no row of this name: haris") != std::string::npos);
}
