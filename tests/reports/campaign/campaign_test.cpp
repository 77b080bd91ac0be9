#include "reports/campaign/campaign.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

#include "generators/base/ensure.h"
#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "generators/schedule/language.h"
#include "reports/store/store.h"
#include "tests/reports/campaign/campaign_support.h"

using namespace haruspex;
using namespace haruspex::test;

namespace {

volatile int sink = 0;

// Takes at least this much processor time.
void compute(std::chrono::milliseconds time) {
    const auto end = std::clock() + time.count() * CLOCKS_PER_SEC / 1000;
    while (std::clock() < end) { sink = sink + 1; }
}

}  // namespace

TEST_CASE("everything but timings is the same for any number of jobs") {
    Scratch scratch;
    run(options(scratch / "one", 60, 1), mixed_mischief);
    run(options(scratch / "three", 60, 3), mixed_mischief);
    for (const char* file : {"cases.jsonl", "rejected.jsonl"}) {
        CHECK(*store::read_file(scratch / "one" / file) == *store::read_file(scratch / "three" / file));
    }
    const Json one = summary_of(scratch / "one");
    CHECK(one.at("results").dump() == summary_of(scratch / "three").at("results").dump());
    CHECK(one.at("results").at("cases") == 60);
    CHECK(one.at("results").at("by_class").size() >= 3);
    CHECK(one.at("campaign").at("jobs") == 1);
    const auto listed = lines(scratch / "one/cases.jsonl");
    REQUIRE(listed.size() == 60);
    for (std::size_t i = 0; i < listed.size(); ++i) { CHECK(listed[i].at("index") == i); }
}

TEST_CASE("a case alone has the verdict that it has in its campaign") {
    Scratch scratch;
    run(options(scratch / "all", 30, 2), mixed_mischief);
    const auto all = lines(scratch / "all/cases.jsonl");
    for (const std::uint64_t index : {0U, 11U, 29U}) {
        campaign::Options alone = options(scratch / ("alone" + std::to_string(index)).c_str(), 1);
        alone.first = index;
        run(alone, mixed_mischief);
        CHECK(lines(alone.out / "cases.jsonl").at(0) == all.at(index));
    }
}

TEST_CASE("every finding is filed once, with its case") {
    Scratch scratch;
    const auto o = options(scratch / "out", 60, 2);
    const auto summary = run(o, mixed_mischief);
    std::uint64_t filed = 0;
    for (const auto& [group, indices] : summary.groups) {
        for (const std::uint64_t index : indices) {
            const auto finding = store::load_finding(o.out / "findings" / group / ("7-" + std::to_string(index)));
            INFO((finding ? std::string() : to_string(finding.error())));
            REQUIRE(finding.has_value());
            CHECK(finding->c == random::campaign_case(7, index, {}, schedule::halide::language(14)));
            CHECK(finding->group == group);
            CHECK(finding->compiler.version == "1.2.3");
            ++filed;
        }
    }
    CHECK(filed == summary.findings);
    CHECK(filed > 0);
    std::uint64_t rejected = 0;
    for (const auto& [reason, cases] : summary.rejections) { rejected += cases; }
    CHECK(rejected == summary.by_class.at("rejected"));
    CHECK(lines(o.out / "rejected.jsonl").size() == rejected);
}

TEST_CASE("a case that is too large for us is counted and listed, and no finding") {
    Scratch scratch;
    const auto o = options(scratch / "out", 8, 2);
    const auto summary = run(o, [](const cases::Case& c, compiler::Observation& observation) {
        if (!is_case(c, 3)) { return; }
        observation.outcome = compiler::Outcome::too_large;
        observation.phase = compiler::Phase::bounds_query;
        observation.message = "The bounds query asks for 268435457 cells of input a";
    });
    CHECK(summary.by_class.at("too_large") == 1);
    CHECK(summary.findings == 0);
    CHECK(summary.groups.empty());
    CHECK_FALSE(fs::exists(o.out / "findings"));
    CHECK_FALSE(fs::exists(o.out / "faults"));
    const auto listed = lines(o.out / "cases.jsonl");
    CHECK(listed.at(3).at("class") == "too_large");
    CHECK(listed.at(3).at("message") == "The bounds query asks for 268435457 cells of input a");
}

TEST_CASE("a worker that dies costs its case alone") {
    Scratch scratch;
    // Kills the worker, which is the child's parent.
    const auto mischief = [](const cases::Case& c, compiler::Observation&) {
        if (is_case(c, 5) || is_case(c, 6) || is_case(c, 19)) { ::kill(::getppid(), SIGKILL); }
    };
    for (const int jobs : {1, 3}) {
        const auto o = options(scratch / std::to_string(jobs).c_str(), 20, jobs);
        const auto summary = run(o, mischief);
        CHECK(summary.cases == 20);
        CHECK(summary.by_class.at("harness_failure") == 3);
        CHECK(summary.groups.at("harness_failure") == std::vector<std::uint64_t>{5, 6, 19});
        const auto listed = lines(o.out / "cases.jsonl");
        REQUIRE(listed.size() == 20);
        CHECK(listed[5].at("message") == "the worker process died of signal 9");
        CHECK(listed[7].at("class") != "harness_failure");
        const auto faults = lines(o.out / "faults.jsonl");
        REQUIRE(faults.size() == 3);
        CHECK(faults[0] == listed[5]);
    }
}

TEST_CASE("a worker that dies once costs nothing: its case is done once more") {
    Scratch scratch;
    const auto straight = options(scratch / "straight", 20);
    run(straight);
    // Kills the workers of these cases the first time.
    const auto mischief = [&](const cases::Case& c, compiler::Observation&) {
        if (!is_case(c, 5) && !is_case(c, 6) && !is_case(c, 19)) { return; }
        if (fs::create_directory(scratch / c.sare.name.c_str())) { ::kill(::getppid(), SIGKILL); }
    };
    for (const int jobs : {1, 3}) {
        const auto o = options(scratch / std::to_string(jobs).c_str(), 20, jobs);
        run(o, mischief);
        auto expected = outcome(straight.out);
        if (jobs == 3) { expected.replace(expected.find("\"jobs\": 1"), 9, "\"jobs\": 3"); }
        CHECK(outcome(o.out) == expected);
        for (const char* name : {"c5", "c6", "c19"}) { CHECK(fs::remove(scratch / name)); }
    }
}

TEST_CASE("what is slow shows in the times, and nowhere else") {
    Scratch scratch;
    auto o = options(scratch / "fast", 12);
    o.limits.cpu = std::chrono::milliseconds(500);
    o.limits.patience = 40;
    const auto fast = run(o);
    CHECK(fast.slow_cases == 0);
    o.out = scratch / "slow";
    const auto slow = run(o, [](const cases::Case& c, compiler::Observation&) {
        if (is_case(c, 3) || is_case(c, 8)) { compute(std::chrono::milliseconds(900)); }
    });
    CHECK(slow.slow_cases == 2);
    CHECK(slow.slow_seconds > 0.7);
    CHECK(summary_of(o.out)["timing"]["slow"]["cases"] == 2);
    CHECK_FALSE(summary_of(o.out)["timing"]["seconds_by_stage"].contains("slow"));
    CHECK(to_table(slow).find("\n2 slow cases: ") != std::string::npos);
    CHECK(to_table(fast).find("slow") == std::string::npos);
    CHECK(outcome(o.out) == outcome(scratch / "fast"));
}

TEST_CASE("what has no end is a hang, as soon as it had several times the limit") {
    Scratch scratch;
    auto o = options(scratch / "out", 6);
    o.limits.cpu = std::chrono::milliseconds(250);
    o.limits.patience = 4;
    const auto summary = run(o, [](const cases::Case& c, compiler::Observation&) {
        if (is_case(c, 3)) { compute(std::chrono::hours(1)); }
    });
    CHECK(summary.by_class.at("program_hang") == 1);
    CHECK(lines(o.out / "cases.jsonl").at(3).at("message") == "CPU limit of 1000 ms");
}

TEST_CASE("a case for which haruspex itself needs more than its limit is done once more, with more time") {
    Scratch scratch;
    auto o = options(scratch / "out", 2);
    o.limits.patience = 20;
    o.most_time_of_case = std::chrono::seconds(1);
    // Called in the worker.
    class Deliberate final : public compiler::Compiler {
    public:
        compiler::Identity identity() const override { return real_.identity(); }
        std::string_view reason_to_abort() const override {
            compute(std::chrono::milliseconds(2500));
            return {};
        }
        void warm_up() override {}
        compiler::Observation observe(const cases::Case& c, const compiler::Request& request,
                                      const compiler::Progress& progress) override {
            return real_.observe(c, request, progress);
        }

    private:
        ReferenceCompiler real_;
    };
    Deliberate compiler;
    const auto answered = campaign::run(o, compiler, never, ignore);
    REQUIRE(answered.has_value());
    CHECK_FALSE(answered->by_class.contains("harness_failure"));
    o.out = scratch / "impatient";
    o.limits.patience = 1;
    const auto given_up = campaign::run(o, compiler, never, ignore);
    REQUIRE(given_up.has_value());
    CHECK(given_up->by_class.at("harness_failure") == 2);
    CHECK(lines(o.out / "cases.jsonl").at(0).at("message") == "no answer within 1 s of processor time");
}

TEST_CASE("a case that a worker died of is in the validator's table, as one that was not asked") {
    Scratch scratch;
    auto o = options(scratch / "out", 8, 2);
    o.validate = true;
    const auto summary = run(o, [](const cases::Case& c, compiler::Observation&) {
        if (is_case(c, 3)) { ::kill(::getppid(), SIGKILL); }
    });
    CHECK(summary.proofs.at(*campaign::parse_row("not asked: harness_failure")) == std::vector<std::uint64_t>{3});
}

TEST_CASE("a fault of ours in a worker is reported with its words and the others go on") {
    Scratch scratch;
    const auto summary = run(options(scratch / "out", 8, 2), [](const cases::Case& c, compiler::Observation&) {
        ENSURE(!is_case(c, 3), "a broken invariant");
    });
    CHECK(summary.cases == 8);
    CHECK(summary.by_class.at("harness_failure") == 1);
    const auto listed = lines(scratch / "out/cases.jsonl");
    CHECK(listed.at(3).at("class") == "harness_failure");
    CHECK(listed.at(3).at("message").get<std::string>().find("a broken invariant") != std::string::npos);
}

TEST_CASE("a fault of ours outside the child is reported with its words, case by case") {
    Scratch scratch;
    auto o = options(scratch / "out", 4, 2);
    // No number of tensors can be drawn from this policy.
    o.policy.tensors = {};
    const auto summary = run(o);
    CHECK(summary.by_class.at("harness_failure") == 4);
    for (const Json& listed : lines(o.out / "cases.jsonl")) {
        CHECK(listed.at("message").get<std::string>().find("weight") != std::string::npos);
    }
}

TEST_CASE("a stop ends the campaign after the cases under way") {
    Scratch scratch;
    std::atomic<bool> stop{false};
    auto o = options(scratch / "out", 100000, 2);
    test::ReferenceCompiler compiler;
    const auto summary = campaign::run(o, compiler, stop, [&](const campaign::Progress& progress) {
        if (progress.done >= 3) { stop = true; }
    });
    REQUIRE(summary.has_value());
    CHECK(summary->interrupted);
    CHECK(summary->cases >= 3);
    CHECK(summary->cases < 100000);
    CHECK(summary_of(o.out).at("campaign").at("interrupted") == true);
    const auto listed = lines(o.out / "cases.jsonl");
    REQUIRE(listed.size() == summary->cases);
    for (std::size_t i = 0; i < listed.size(); ++i) { CHECK(listed[i].at("index") == i); }
}

TEST_CASE("signals that ask every process to end are the collector's to hear") {
    Scratch scratch;
    const auto summary = run(options(scratch / "out", 6, 2), [](const cases::Case&, compiler::Observation&) {
        // The case's worker and child.
        for (const pid_t process : {::getppid(), ::getpid()}) {
            for (const int signal : {SIGINT, SIGTERM, SIGHUP}) { ::kill(process, signal); }
        }
    });
    CHECK(summary.cases == 6);
    CHECK_FALSE(summary.by_class.contains("harness_failure"));
    CHECK(summary.findings == 0);
}

TEST_CASE("a campaign for a time ends in time, complete") {
    Scratch scratch;
    auto o = options(scratch / "out", 0, 2);
    o.cases.reset();
    o.time = std::chrono::seconds(1);
    const auto summary = run(o);
    CHECK_FALSE(summary.interrupted);
    CHECK(summary.cases > 0);
    CHECK(summary.seconds >= 1.0);
    CHECK(summary.seconds < 20.0);
}

TEST_CASE("workers die with the collecting process") {
    Scratch scratch;
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t collector = ::fork();
    REQUIRE(collector >= 0);
    if (collector == 0) {
        ::close(ends[0]);
        // Any surviving process keeps the pipe open.
        test::ReferenceCompiler compiler([](const cases::Case&, compiler::Observation&) { ::usleep(100000); });
        (void)campaign::run(options(scratch / "out", 100000, 3), compiler, never, ignore);
        ::_exit(0);
    }
    ::close(ends[1]);
    ::usleep(500000);
    ::kill(collector, SIGKILL);
    ::waitpid(collector, nullptr, 0);
    char byte = 0;
    CHECK(::read(ends[0], &byte, 1) == 0);
    ::close(ends[0]);
}

TEST_CASE("a folder that cannot be written is an error before the first case") {
    test::ReferenceCompiler compiler;
    const auto summary = campaign::run(options("/proc/haruspex", 10), compiler, never, ignore);
    REQUIRE_FALSE(summary.has_value());
    CHECK(summary.error().message.starts_with("cannot make the folder"));
}

TEST_CASE("an empty campaign has a summary") {
    Scratch scratch;
    const auto summary = run(options(scratch / "out", 0));
    CHECK(summary.cases == 0);
    CHECK_FALSE(summary.interrupted);
    CHECK(summary_of(scratch / "out").at("results").at("cases") == 0);
    CHECK(campaign::to_table(summary).find("0 cases") != std::string::npos);
}

TEST_CASE("the summary holds every figure of the campaign") {
    Scratch scratch;
    const auto summary = run(options(scratch / "out", 40, 2), mixed_mischief);
    const Json tree = summary_of(scratch / "out");
    CHECK(tree.at("campaign").at("seed") == 7);
    CHECK(tree.at("campaign").at("compiler").at("version") == "1.2.3");
    CHECK(tree.at("campaign").at("target") == schedule::language("halide").default_target());
    CHECK(tree.at("results").at("features").at("directive:split") > 0);
    CHECK(tree.at("results").at("median_directives") == campaign::median_directives(summary));
    CHECK(tree.at("results").at("findings") == summary.findings);
    std::uint64_t total = 0;
    for (const auto& [name, cases] : tree.at("results").at("by_class").items()) { total += cases.get<std::uint64_t>(); }
    CHECK(total == 40);
    CHECK(tree.at("timing").at("cases_per_second") > 0);
    for (const char* stage : {"draw", "reference", "containment", "judge"}) {
        CHECK(tree.at("timing").at("seconds_by_stage").at(stage) >= 0);
    }
    const std::string table = campaign::to_table(summary);
    for (const auto& [name, cases] : summary.by_class) { CHECK(table.find(name) != std::string::npos); }
    for (const auto& [name, indices] : summary.groups) { CHECK(table.find(name) != std::string::npos); }
}

TEST_CASE("the summary says what of the compiler is not observed") {
    campaign::Summary summary;
    CHECK(campaign::to_table(summary).find("not observed") == std::string::npos);
    const auto compiler = [&] { return Json::parse(campaign::to_json(summary)).at("campaign").at("compiler"); };
    CHECK(compiler().at("unobserved") == Json({{"lowered", false}, {"prophecies", false}, {"passes", Json::array()}}));
    summary.compiler.unobserved = {.prophecies = true, .passes = {"unroll", "fold"}};
    CHECK(campaign::to_table(summary).find(
              "\nnot observed: lowering with prophecies (nothing is validated); the passes unroll, fold\n") !=
          std::string::npos);
    CHECK(compiler().at("unobserved") ==
          Json({{"lowered", false}, {"prophecies", true}, {"passes", {"unroll", "fold"}}}));
}

TEST_CASE("half of the cases have at most the median of directives") {
    campaign::Summary summary;
    CHECK(campaign::median_directives(summary) == 0);
    summary.cases = 4;
    summary.directives = {{1, 1}, {3, 1}, {8, 2}};
    CHECK(campaign::median_directives(summary) == 3);
    summary.cases = 5;
    summary.directives = {{1, 1}, {3, 1}, {8, 3}};
    CHECK(campaign::median_directives(summary) == 8);
}
