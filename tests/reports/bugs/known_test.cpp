#include "reports/bugs/known.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/bugs/report_folders.h"
#include "reports/store/store.h"
#include "reports/triage/symptom.h"
#include "tests/support/catch.h"
#include "tests/support/rejected.h"
#include "tests/support/scratch.h"
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

TEST_CASE("a person's finding that a case is not of a bug holds for the cases that nearly have its fingerprint") {
    const Fingerprint more = with({"directive:vectorize", "op:min", "update", "tuple"});
    std::vector<Known> known{bug("a", print)};
    known[0].covers = {print};
    known[0].irrelevant = {"tuple", "op:"};
    REQUIRE(find(known, more) == &known[0]);
    known[0].others = {more};
    CHECK(find(known, more) == nullptr);
    CHECK(find_similar(known, more) == nullptr);
    CHECK(find_covering(known, more) == nullptr);
    CHECK(find(known, with({"directive:vectorize", "op:min", "update", "tuple", "op:*"})) == nullptr);
    // The bug's own cases, and others that are far from that one, stay the bug's.
    CHECK(find(known, print) == &known[0]);
    CHECK(find(known, with({"directive:vectorize", "op:min", "update", "op:*"})) == &known[0]);
    // A bug that has the fingerprint has the case.
    known.push_back(bug("b", more));
    CHECK(find(known, more) == &known[1]);
}

TEST_CASE("findings of a bug that is the same as another count as that one, and only that one is counted") {
    const Fingerprint elsewhere{a_symptom("wrong_lowering", "(a, b]", "value"), {"directive:split"}};
    std::vector<Known> known{bug("a", print), bug("b", elsewhere), bug("c", with({"tuple"}))};
    CHECK(find(known, elsewhere) == &known[1]);
    known[1].same_as = "c";
    known[2].same_as = "a";
    known[2].status = Status::fixed;
    CHECK(find(known, elsewhere) == &known[0]);
    CHECK(find(known, with({"tuple"})) == &known[0]);
    CHECK(find_similar(known, elsewhere) == &known[0]);
    CHECK(&representative(known, known[1]) == &known[0]);
    CHECK(&representative(known, known[0]) == &known[0]);
    // What the bug is said not to be, none is that counts as it.
    known[0].others = {elsewhere};
    CHECK(find(known, elsewhere) == &known[0]);
    known[1].fingerprints.clear();
    known[1].covers = {elsewhere};
    CHECK(find_covering(known, elsewhere) == nullptr);
}

TEST_CASE("a bug that counts as one that is not there, or as itself, is refused") {
    const tests::ScratchFolder scratch;
    Known one = bug("one", print);
    one.same_as = "two";
    REQUIRE(save_known(one, scratch.path()));
    const auto refusal = [&] {
        const auto known = load_known(scratch.path());
        REQUIRE_FALSE(known.has_value());
        return to_string(known.error());
    };
    CHECK(refusal() ==
          (scratch.path() / "one.json").string() + ": there is no known bug \"two\"; expected one of this folder");
    Known two = bug("two", print);
    two.others = {print};
    REQUIRE(save_known(two, scratch.path()));
    const auto known = load_known(scratch.path());
    REQUIRE(known.has_value());
    CHECK(*known == std::vector<Known>{one, two});
    two.same_as = "one";
    REQUIRE(save_known(two, scratch.path()));
    CHECK(refusal() == (scratch.path() / "one.json").string() + ": the bug counts as itself; expected another one");
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

TEST_CASE("what a known bug covers is a case of it when all else that it needs is explained") {
    Known one = bug("a", print);
    one.covers.push_back(with({"directive:vectorize", "tuple"}));
    one.irrelevant = {"op:", "tail:Auto"};
    const std::vector<Known> known{one, bug("b", with({"directive:vectorize", "tuple", "op:*", "op:min"}))};
    const auto needing = [&](std::set<std::string> more) {
        more.insert({"directive:vectorize", "tuple"});
        return find(known, with(std::move(more)));
    };
    CHECK(needing({}) == &known[0]);
    // A kind of features is irrelevant, or one feature; and how cells are addressed never counts in a pass.
    CHECK(needing({"op:/", "op:unary abs", "tail:Auto", "access:diagonal"}) == &known[0]);
    CHECK(needing({"tail:RoundUp"}) == nullptr);
    // The bug's own minimised case needs an update, too.
    CHECK(needing({"update"}) == &known[0]);
    CHECK(needing({"update:predicate"}) == nullptr);
    CHECK(needing({"directive:split", "op:/"}) == nullptr);
    // Everything that the cover names is needed.
    CHECK(find(known, with({"directive:vectorize", "op:*"})) == nullptr);
    CHECK(find(known, with({"directive:split", "op:*", "tuple"})) == nullptr);
    // An exact or near match takes precedence.
    CHECK(needing({"op:*", "op:min", "update"}) == &known[1]);
    // A case that is not explained is similar, for a reader.
    CHECK(find_similar(known, with({"directive:split", "directive:vectorize", "tuple", "update"})) == &known[0]);
    const Fingerprint large = with({"directive:vectorize", "op:/", "tuple"});
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

TEST_CASE("one minimised case of a known bug explains another, not parts of several") {
    Known one = bug("a", with({"directive:vectorize", "tuple"}));
    one.fingerprints.push_back(with({"directive:vectorize", "update:predicate"}));
    one.covers.push_back(with({"directive:vectorize"}));
    CHECK(explains(one, with({"directive:vectorize"})));
    CHECK(explains(one, with({"directive:vectorize", "tuple"})));
    CHECK_FALSE(explains(one, with({"directive:vectorize", "tuple", "update:predicate"})));
}

TEST_CASE("a failure of the compiler is known by its place when its message tells the place") {
    const std::set<std::string> few{"directive:vectorize"};
    const std::set<std::string> many{"directive:split", "directive:vectorize", "op:*", "tuple"};
    const auto spent = minimize::Ending::budget_spent;
    const auto found = [&](const char* cls, const char* pass, const std::set<std::string>& features,
                           minimize::Ending ending) {
        const triage::Symptom failure = a_symptom(cls, pass, "what it says");
        Known one = bug("a", {failure, few});
        one.covers = one.fingerprints;
        return find({one}, {failure, features}, {}, ending) != nullptr;
    };
    const auto fixpoint = minimize::Ending::fixpoint;
    CHECK(found("compiler_internal_error", print_pass, many, fixpoint));
    // Two crashes may have nothing but the signal in common.
    CHECK_FALSE(found("compiler_crash", print_pass, many, fixpoint));
    // Many symbols are not found in code generation.
    for (const char* anywhere : {"(source, allocation_bounds_inference]", "(final, code generation]", ""}) {
        CHECK_FALSE(found("compiler_internal_error", anywhere, many, fixpoint));
        CHECK_FALSE(found("compiler_internal_error", anywhere, many, spent));
        CHECK(found("compiler_internal_error", anywhere, few, spent));
    }
    // A minimisation that ran out of budget may leave unnecessary features.
    CHECK(found("compiler_crash", print_pass, many, spent));
    CHECK_FALSE(found("wrong_lowering", print_pass, many, spent));
}

TEST_CASE("two bugs in one pass stay apart, whatever a version tells of the check that fails") {
    const auto failing = [](FailedCheck check, std::set<std::string> features, const char* pass = print_pass) {
        return Fingerprint{{verdict::Class::compiler_internal_error, a_pass(pass), std::move(check)},
                           std::move(features)};
    };
    const FailedCheck older{"Ramp.cpp", {}, "lanes > 1", ""}, other_older{"Ramp.cpp", {}, "base >= 0", ""};
    const FailedCheck newer{"Ramp.cpp", "make", {}, ""}, other_newer{"Ramp.cpp", "load", {}, ""};
    const FailedCheck terse{};
    const std::set<std::string> few{"directive:vectorize", "tail:Predicate"}, others{"directive:vectorize", "tuple"};
    const std::set<std::string> many{"directive:vectorize", "directive:split", "op:*", "tail:Predicate", "tuple"};
    Known one = bug("one", failing(older, few)), two = bug("two", failing(other_older, others));
    one.covers = {failing(older, {"directive:vectorize"})};
    two.covers = {failing(other_older, {"directive:vectorize"})};
    const std::vector<Known> known{one, two};
    // A version that tells as much: the check decides, and other features do not count.
    CHECK(find(known, failing(older, many)) == &known[0]);
    CHECK(find(known, failing(other_older, many)) == &known[1]);
    CHECK(find(known, failing({"Ramp.cpp", {}, "extent > 1", ""}, few)) == nullptr);
    // One that tells less: the features that the case needs decide.
    for (const FailedCheck& check : {newer, other_newer, terse}) {
        CHECK(find(known, failing(check, few)) == &known[0]);
        CHECK(find(known, failing(check, others)) == &known[1]);
        CHECK(find(known, failing(check, many)) == nullptr);
        CHECK(find(known, failing(check, many), {}, minimize::Ending::budget_spent) == nullptr);
        CHECK_FALSE(is_another(failing(check, many), one.fingerprints[0]));
    }
    CHECK(find(known, failing({"Scope.cpp", {}, {}, ""}, few)) == nullptr);
    // Words name the place in every version.
    for (FailedCheck check : {older, newer, terse}) {
        check.words = "Ramp of one lane";
        CHECK(find(known, failing(check, few)) == nullptr);
        Known worded = one;
        std::get<FailedCheck>(worded.covers[0].symptom.sign).words = "Ramp of one lane";
        CHECK(find({worded}, failing(check, many)) != nullptr);
    }
    // In code generation, where the pass says little, a case is known only by what names the place.
    const char* last = "(final, code generation]";
    const std::vector<Known> late{bug("one", failing(older, few, last))};
    CHECK(find(late, failing(older, few, last)) == &late[0]);
    CHECK(find(late, failing(newer, few, last)) == nullptr);
    CHECK(find(late, failing(terse, few, last)) == nullptr);
    const std::vector<Known> both{bug("one", failing(newer, few, last)), bug("two", failing(other_newer, few, last))};
    CHECK(find(both, failing(newer, few, last)) == &both[0]);
    CHECK(find(both, failing(other_newer, few, last)) == &both[1]);
}

TEST_CASE("the corpus's internal errors are known in the words of every version, and no bug is taken for another") {
    const auto known = load_known(fs::path(HARUSPEX_SOURCE_DIR) / "corpus/known");
    REQUIRE(known.has_value());
    int recognised = 0;
    for (const Known& one : *known) {
        for (const Fingerprint& own : one.fingerprints) {
            const auto* check = std::get_if<FailedCheck>(&own.symptom.sign);
            if (check == nullptr) { continue; }
            for (const FailedCheck& told : {*check, FailedCheck{check->file, "some function", {}, check->words},
                                            FailedCheck{{}, {}, {}, check->words}}) {
                Fingerprint found = own;
                found.symptom.sign = told;
                INFO(one.name << ": " << to_string(told));
                // Words, or the pass, name the place.
                const bool is_told = told == *check || is_in_a_pass(own.symptom) || !told.words.empty();
                const Known* bug = find(*known, found);
                if (is_told && !(told != *check && check->function)) { CHECK(bug != nullptr); }
                if (bug != nullptr) { CHECK(bug->name == one.name); }
                if (bug != nullptr && told != *check) { ++recognised; }
            }
        }
    }
    CHECK(recognised >= 20);
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
    b.irrelevant = {"cast", "op:"};
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
    test::check_rejected(".known", 17,
                         [](std::string_view text, std::string_view file) { return parse_known(text, file); });
}

TEST_CASE("the schema of known bugs knows every status, and the keys") {
    std::ifstream file(HARUSPEX_SOURCE_DIR "/corpus/schema/known-1.json");
    const auto schema = nlohmann::json::parse(file);
    Known full = bug("a", print);
    full.upstream = {LookUp::none_found, {}};
    full.covers = {print};
    full.versions = {{"14.0.0", Presence::differs, "wrong_code", true}};
    full.irrelevant = {"op:"};
    full.others = {print};
    full.same_as = "b";
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

TEST_CASE("no bug of the corpus hides another one") {
    const auto known = load_known(fs::path(HARUSPEX_SOURCE_DIR) / "corpus/known");
    REQUIRE(known.has_value());
    std::size_t covers = 0;
    for (const Known& one : *known) {
        covers += one.covers.size();
        std::vector<Known> others;
        std::ranges::copy_if(*known, std::back_inserter(others),
                             [&](const Known& other) { return other.name != one.name; });
        for (const Fingerprint& fingerprint : one.fingerprints) {
            // Found as a bug of its own, and reported if the corpus did not have it.
            const Known* const found = find(*known, fingerprint);
            REQUIRE(found != nullptr);
            CHECK(found->name == one.name);
            const Known* const hiding = find(others, fingerprint);
            INFO((hiding == nullptr ? std::string() : hiding->name) << " hides " << one.name);
            CHECK(hiding == nullptr);
        }
    }
    CHECK(covers > 30);
}

// A bug needs all that a known bug in the same pass needs, and more: what another bug of that pass needs.
TEST_CASE("of two bugs in one pass that need the same features, one hides the other only where it needs no more") {
    const auto known = load_known(fs::path(HARUSPEX_SOURCE_DIR) / "corpus/known");
    REQUIRE(known.has_value());
    std::size_t pairs = 0, covered = 0, hidden = 0;
    for (const Known& one : *known) {
        for (const Fingerprint& cover : one.covers) {
            for (const Known& other : *known) {
                for (const Fingerprint& fingerprint : other.fingerprints) {
                    const bool is_pair = other.name != one.name && fingerprint.symptom.pass == cover.symptom.pass;
                    if (!is_pair || cover.symptom.cls == verdict::Class::compiler_internal_error) { continue; }
                    Fingerprint both = cover;
                    both.features.insert(fingerprint.features.begin(), fingerprint.features.end());
                    ++pairs;
                    covered += is_covered(both, cover) ? 1 : 0;
                    hidden += explains(one, both) ? 1 : 0;
                }
            }
        }
    }
    CHECK(pairs > 500);
    CHECK(covered == pairs);
    CHECK(hidden * 8 < pairs);
}

TEST_CASE("the case of each report in the corpus is known as the report's bug, and as no other") {
    const fs::path folder = fs::path(HARUSPEX_SOURCE_DIR) / "corpus/known";
    const auto known = load_known(folder);
    REQUIRE(known.has_value());
    std::size_t cases = 0;
    for (const Known& one : *known) {
        if (!fs::exists(folder / one.report / "case.json")) { continue; }
        INFO(one.name);
        const auto finding = store::load_finding(folder / one.report);
        REQUIRE(finding.has_value());
        const auto symptom = triage::symptom(finding->c, finding->verdict);
        REQUIRE(symptom.has_value());
        const Fingerprint stored = fingerprint(finding->c, *symptom);
        for (const Known& other : *known) {
            const Known* const found = find({other}, stored);
            INFO("as " << other.name);
            CHECK((found != nullptr) == (other.name == one.name));
        }
        ++cases;
    }
    CHECK(cases > 50);
}

}  // namespace haruspex::bugs
