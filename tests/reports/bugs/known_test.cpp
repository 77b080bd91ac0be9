#include "reports/bugs/known.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/bugs/report_folders.h"
#include "reports/store/store.h"
#include "tests/support/catch.h"
#include "tests/support/rejected.h"
#include "tests/support/verdicts.h"

namespace haruspex::bugs {
namespace {

namespace fs = std::filesystem;

constexpr const char* print_pass = "(unroll_loops, vectorize_loops]";
const Fingerprint print{a_symptom("wrong_lowering", print_pass, "value"), {"directive:vectorize", "op:min", "update"}};

Known bug(std::string name, Fingerprint fingerprint) {
    return {std::move(name), Status::open, "trims a loop", "../regress/open/a", {}, {std::move(fingerprint)}};
}

Fingerprint with(std::set<std::string> features) { return {print.symptom, std::move(features)}; }

}  // namespace

TEST_CASE("a known bug has the same symptom, and at most one feature more") {
    const std::vector<Known> known{bug("a", print)};
    REQUIRE(find(known, print) != nullptr);
    CHECK(find(known, print)->name == "a");
    CHECK(find(known, with({"directive:vectorize", "update"})) == nullptr);
    CHECK(find(known, with({"directive:vectorize", "op:max", "update"})) == nullptr);
    CHECK(find(known, with({"directive:vectorize", "op:min", "update", "tuple"})) == &known[0]);
    CHECK(find(known, with({"directive:vectorize", "op:min", "update", "tuple", "op:*"})) == nullptr);
    // Kinds of access do not count as features if the pass is known.
    CHECK(find(known, with({"access:point", "access:self", "directive:vectorize", "op:min", "update", "tuple"})) ==
          &known[0]);
    // An exact match takes precedence over a near match.
    const Fingerprint more = with({"directive:vectorize", "op:min", "update", "tuple"});
    const std::vector<Known> both{bug("a", print), bug("b", more)};
    CHECK(find(both, more) == &both[1]);
    CHECK(find(both, print) == &both[0]);
    for (const triage::Symptom& other :
         {a_symptom("latent_bug", print_pass, "value"), a_symptom("wrong_lowering", "(a, b]", "value"),
          a_symptom("wrong_lowering", print_pass, "read_write_race")}) {
        CHECK(find(known, {other, print.features}) == nullptr);
        CHECK(find_similar(known, {other, print.features}) == nullptr);
    }
}

TEST_CASE("a known bug of a pass that runs twice is known at both places") {
    const triage::PassOrder order({"simplify", "unroll_loops", "simplify.2", "vectorize_loops"});
    const std::vector<Known> known{
        bug("a", {a_symptom("wrong_lowering", "(source, simplify]", "value"), print.features})};
    const auto at = [&](const char* pass) {
        return Fingerprint{a_symptom("wrong_lowering", pass, "value"), print.features};
    };
    CHECK(find(known, at("(unroll_loops, simplify.2]"), order) == &known[0]);
    CHECK(find(known, at("(unroll_loops, simplify.2]")) == nullptr);
    CHECK(find(known, at("(simplify, unroll_loops]"), order) == nullptr);
    CHECK(find(known, at("(source, simplify.2]"), order) == nullptr);
    CHECK(find(known, at(""), order) == nullptr);
}

TEST_CASE("a finding resembles a known bug when symptom and directives are the same") {
    const std::vector<Known> known{bug("a", print)};
    CHECK(find_similar(known, with({"directive:vectorize"})) == &known[0]);
    CHECK(find_similar(known, with({"directive:vectorize", "directive:split", "op:min", "update"})) == nullptr);
    CHECK(find_similar(known, with({"op:min", "update"})) == nullptr);
}

TEST_CASE("what a known bug covers is a case of it whatever else it needs") {
    Known one = bug("a", print);
    one.covers.push_back(with({"directive:vectorize", "tuple"}));
    const std::vector<Known> known{one, bug("b", with({"directive:vectorize", "tuple", "op:*", "op:min"}))};
    const Fingerprint large = with({"directive:split", "directive:vectorize", "op:*", "op:abs", "tail:Auto", "tuple"});
    CHECK(find(known, large) == &known[0]);
    // An exact or near match takes precedence.
    CHECK(find(known, with({"directive:vectorize", "tuple", "op:*", "op:min", "update"})) == &known[1]);
    CHECK(find(known, with({"directive:vectorize", "op:*"})) == nullptr);
    CHECK(find(known, with({"directive:split", "op:*", "tuple"})) == nullptr);
    // A minimisation that ran out of budget may leave unnecessary features.
    CHECK(find(known, large, {}, minimize::Ending::budget_spent) == nullptr);
    const triage::Symptom failure =
        a_symptom("compiler_crash", "(unroll_loops, vectorize_loops]", "signal 11 in compile");
    Known crash = bug("c", {failure, {"directive:vectorize"}});
    crash.covers = crash.fingerprints;
    CHECK(find({crash}, {failure, large.features}, {}, minimize::Ending::budget_spent) != nullptr);
    CHECK(find_similar(known, large) == &known[0]);
    const auto shown = [&](const char* cls, const char* pass, const char* trouble) {
        const triage::PassOrder order({"simplify", "unroll_loops", "vectorize_loops", "simplify.2"});
        return find(known, {a_symptom(cls, pass, trouble), large.features}, order);
    };
    CHECK(shown("latent_bug", "(unroll_loops, vectorize_loops]", "value") == &known[0]);
    CHECK(shown("introduced_overflow", "(unroll_loops, vectorize_loops]", "value") == nullptr);
    CHECK(shown("wrong_lowering", "(unroll_loops, vectorize_loops]", "out_of_bounds_read") == nullptr);
    CHECK(shown("wrong_lowering", "(simplify, vectorize_loops]", "value") == nullptr);
    CHECK(shown("wrong_lowering", "", "value") == nullptr);
}

TEST_CASE("a known bug may have several fingerprints") {
    Known one = bug("a", print);
    one.fingerprints.push_back(with({"directive:split"}));
    const std::vector<Known> known{one};
    CHECK(find(known, print) == &known[0]);
    CHECK(find(known, with({"directive:split"})) == &known[0]);
}

TEST_CASE("known bugs come back from their folder, by name") {
    const fs::path folder = fs::temp_directory_path() / "haruspex-known";
    fs::remove_all(folder);
    Known b = bug("b", with({}));
    b.status = Status::documented;
    b.report.clear();
    b.upstream = {LookUp::found, "https://github.com/halide/Halide/issues/1"};
    b.covers = {with({"tuple"})};
    b.versions = {{"9.1", Presence::gone, {}, {}},
                  {"14.0.0", Presence::shows, {}, true},
                  {"19.0.0", Presence::differs, "wrong_code", {}},
                  {"21.0.0", Presence::refused, {}, false}};
    Known c = bug("c", print);
    c.fingerprints.clear();  // only its program describes it
    c.versions = {{"14.0.0", Presence::not_run, {}, true}};
    const std::vector<Known> known{bug("a", print), b, c};
    for (const Known& one : known) { REQUIRE(save_known(one, folder).has_value()); }
    std::ofstream(folder / "notes.txt") << "no bug";
    const auto loaded = load_known(folder);
    REQUIRE(loaded.has_value());
    CHECK(*loaded == known);
    std::ofstream(folder / "d.json") << "{}";
    CHECK_FALSE(load_known(folder).has_value());
    CHECK_FALSE(load_known(folder / "nowhere").has_value());
    fs::remove_all(folder);
    // An empty folder holds no bugs yet; a folder with only other files is a mistake.
    fs::create_directory(folder);
    CHECK(load_known(folder).value().empty());
    std::ofstream(folder / "notes.txt") << "no bug";
    REQUIRE_FALSE(load_known(folder).has_value());
    CHECK(load_known(folder).error().message.find("no known bug in ") == 0);
    fs::remove_all(folder);
}

TEST_CASE("malformed known bugs are refused where they are wrong") {
    test::check_rejected(".known", 12,
                         [](std::string_view text, std::string_view file) { return parse_known(text, file); });
}

TEST_CASE("the schema of known bugs knows every status, and the keys") {
    std::ifstream file(HARUSPEX_SOURCE_DIR "/corpus/schema/known-1.json");
    const auto schema = nlohmann::json::parse(file);
    Known full = bug("a", print);
    full.upstream = {LookUp::none_found, {}};
    full.covers = {print};
    full.versions = {{"14.0.0", Presence::differs, "wrong_code", true}};
    const auto written = nlohmann::json::parse(to_json(full));
    for (const auto& [key, value] : written.items()) { CHECK(schema.at("properties").contains(key)); }
    // The compiler is written unless it is the first.
    CHECK(written.size() + 1 == schema.at("properties").size());
    const auto& part = schema.at("$defs").at("fingerprint");
    for (const auto& key : part.at("required")) { CHECK(written.at("fingerprints")[0].contains(key)); }
    CHECK(written.at("fingerprints")[0].size() == part.at("properties").size());
    std::vector<std::string> names, presences;
    for (int i = 0; i < status_count; ++i) { names.emplace_back(name(static_cast<Status>(i))); }
    CHECK(schema.at("properties").at("status").at("enum") == names);
    const auto& row = schema.at("$defs").at("version");
    for (const auto& [key, value] : written.at("versions")[0].items()) { CHECK(row.at("properties").contains(key)); }
    CHECK(written.at("versions")[0].size() == row.at("properties").size());
    for (int i = 0; i < presence_count; ++i) { presences.emplace_back(name(static_cast<Presence>(i))); }
    CHECK(row.at("properties").at("presence").at("enum") == presences);
}

TEST_CASE("the corpus's known bugs are open, have different fingerprints, and their reports are there") {
    const fs::path folder = fs::path(HARUSPEX_SOURCE_DIR) / "corpus/known";
    const auto known = load_known(folder);
    INFO((known ? "" : to_string(known.error())));
    REQUIRE(known.has_value());
    REQUIRE(known->size() >= 40);
    std::set<Fingerprint> seen;
    for (const Known& one : *known) {
        INFO(one.name);
        CHECK(one.status == Status::open);
        CHECK(fs::exists(folder / one.report / "why.txt"));
        CHECK(one.upstream.look_up != LookUp::not_done);
        CHECK(one.fingerprints.empty() == !fs::exists(folder / one.report / "case.json"));
        for (const Fingerprint& fingerprint : one.fingerprints) { CHECK(seen.insert(fingerprint).second); }
    }
}

TEST_CASE("every open report of the corpus is one known bug, and has fingerprints if it has a case") {
    const fs::path corpus = fs::path(HARUSPEX_SOURCE_DIR) / "corpus";
    const auto known = load_known(corpus / "known");
    REQUIRE(known.has_value());
    std::map<fs::path, std::vector<const Known*>> by_report;
    for (const Known& one : *known) { by_report[(corpus / "known" / one.report).lexically_normal()].push_back(&one); }
    const auto reports = report_folders(corpus / "regress/open");
    REQUIRE(reports.has_value());
    for (const ReportFolder& report : *reports) {
        INFO(report.name);
        const auto& bugs = by_report[report.path.lexically_normal()];
        REQUIRE(bugs.size() == 1);
        CHECK(bugs[0]->name == report.name);
        CHECK((!report.has_case || !bugs[0]->fingerprints.empty()));
    }
    CHECK(by_report.size() == reports->size());
}

TEST_CASE("the fingerprint of a bug that only a later version has is that of its report") {
    const fs::path corpus = fs::path(HARUSPEX_SOURCE_DIR) / "corpus";
    const auto finding = store::load_finding(corpus / "regress/open/atomic-vector-store");
    REQUIRE(finding.has_value());
    const auto symptom = triage::symptom(finding->c, finding->verdict);
    REQUIRE(symptom.has_value());
    const auto known = load_known(corpus / "known");
    REQUIRE(known.has_value());
    const Known* const found = find(*known, fingerprint(finding->c, *symptom));
    REQUIRE(found != nullptr);
    CHECK(found->name == "atomic-vector-store");
}

TEST_CASE("no bug of the corpus covers another one") {
    const auto known = load_known(fs::path(HARUSPEX_SOURCE_DIR) / "corpus/known");
    REQUIRE(known.has_value());
    // Two faults in one pass that no feature of a program tells apart.
    const std::set<std::string> windows{"sliding-window-two-loops", "sliding-window-warm-up"};
    std::size_t covers = 0;
    for (const Known& one : *known) {
        covers += one.covers.size();
        for (const Known& other : *known) {
            if (one.name == other.name || (windows.contains(one.name) && windows.contains(other.name))) { continue; }
            for (const Fingerprint& cover : one.covers) {
                for (const Fingerprint& fingerprint : other.fingerprints) {
                    INFO(one.name << " covers " << other.name);
                    CHECK_FALSE(is_covered(fingerprint, cover));
                }
            }
        }
    }
    CHECK(covers > 30);
}

}  // namespace haruspex::bugs
