#include "reports/bugs/judged_versions.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "generators/case/json.h"
#include "tests/support/catch.h"
#include "tests/support/verdicts.h"

namespace haruspex::bugs {
namespace {

using session::Answer;
using verdict::Class;

verdict::Verdict verdict_of(Class cls, const std::string& pass = {}, const std::string& lowered = {}) {
    verdict::Verdict v;
    v.cls = cls;
    v.pass = a_pass(pass);
    v.lowered = a_lowered(lowered);
    return v;
}

cases::Case a_case() {
    auto c = cases::parse_case(
        R"({"haruspex_case": 1, "sare": ["sare s(W) { f(x) = i32<x> output f on { [x] : 0 <= x < W } }"], )"
        R"("schedule": [], "sizes": {"W": 4}, "inputs": {}, "input_seed": 0, "strict_float": false, )"
        R"("comparison": "exact", "target": "host"})",
        "test");
    REQUIRE(c.has_value());
    return std::move(*c);
}

Subject subject(const std::string& name, std::optional<verdict::Verdict> stored, const std::string& found_in) {
    return {name, "regress/open/" + name, a_case(), std::move(stored), found_in};
}

Build build(const std::string& where, const std::string& version) {
    return {where, {"0.1.0", {"halide", version, 14}, "libhalide " + version}};
}

const std::string lowered_wrong = "f(3) is 7i32, expected 5i32; 3 of 20 cells differ";
const verdict::Verdict wrong = verdict_of(Class::wrong_lowering, "(a, b]", lowered_wrong);

Presence presence(const verdict::Verdict& now, const std::string& version = "14.0.0",
                  const verdict::Verdict& stored = wrong) {
    return compare_with_stored(subject("a", stored, "14.0.0"), {now, {}}, version).presence;
}

// Judges `subjects` with answers by the version of the build.
JudgedVersions judged(const std::vector<Subject>& subjects, const std::vector<Build>& builds,
                      const std::map<std::string, Answer>& answers, const std::vector<ProgramResult>& programs = {}) {
    auto result = judge_versions(
        subjects, builds, programs,
        [&](std::size_t i, const Subject&) -> Result<Answer> {
            return answers.at(builds[i].greeting.compiler.version + builds[i].where);
        },
        [](const JudgedBug&) {});
    REQUIRE(result.has_value());
    return std::move(*result);
}

}  // namespace

TEST_CASE("a case shows its bug in its own version by pass and symptom, in others by symptom") {
    CHECK(presence(wrong) == Presence::shows);
    const auto elsewhere = verdict_of(Class::wrong_lowering, "(c, d]", lowered_wrong);
    CHECK(presence(elsewhere) == Presence::differs);
    CHECK(presence(elsewhere, "19.0.0") == Presence::shows);
    const auto other =
        compare_with_stored(subject("a", wrong, "14.0.0"), {verdict_of(Class::wrong_code), {}}, "19.0.0");
    CHECK(other.presence == Presence::differs);
    CHECK(other.text == "wrong_code");
    CHECK(presence(verdict_of(Class::agrees)) == Presence::gone);
    CHECK(presence(verdict_of(Class::rejected)) == Presence::refused);
    const auto refused = compare_with_stored(subject("a", wrong, "14.0.0"), session::refused("no such type"), "19.0.0");
    CHECK(refused.presence == Presence::refused);
    CHECK(refused.text == "no such type");
}

TEST_CASE("a bug is not gone where the answer does not decide") {
    CHECK(presence(verdict_of(Class::not_compared)) == Presence::not_run);
    const auto fault =
        compare_with_stored(subject("a", wrong, "14.0.0"), {verdict_of(Class::harness_failure), {}}, "19");
    CHECK(fault.presence == Presence::not_run);
    CHECK(fault.is_fault);
    // Only the interpreted program shows a race.
    const auto latent = verdict_of(Class::latent_bug, "(a, b]", "read_write_race: reads f[0]");
    CHECK(presence(verdict_of(Class::agrees, "", "agrees"), "19.0.0", latent) == Presence::gone);
    CHECK(presence(verdict_of(Class::agrees, "", "unsupported: an intrinsic"), "19.0.0", latent) == Presence::not_run);
    // What native code makes of a race is an accident.
    for (const Class cls : {Class::wrong_lowering, Class::program_crash}) {
        const auto accident = verdict_of(cls, "(a, b]", "read_write_race: reads f[0]");
        CHECK(presence(verdict_of(Class::agrees, "", "agrees"), "19.0.0", accident) == Presence::gone);
        CHECK(presence(verdict_of(Class::agrees), "19.0.0", accident) == Presence::not_run);
    }
    // Only the validator shows that other inputs are wrong.
    auto refuted = verdict_of(Class::refuted_lowering, "", "agrees");
    refuted.own_sizes = verdict::proved(false);
    refuted.own_sizes->outcome = verdict::Outcome::refuted;
    CHECK(presence(verdict_of(Class::agrees, "", "agrees"), "19.0.0", refuted) == Presence::not_run);
    auto proved = verdict_of(Class::agrees, "", "agrees");
    proved.own_sizes = verdict::proved(false);
    CHECK(presence(proved, "19.0.0", refuted) == Presence::gone);
    auto overflow = refuted;
    overflow.cls = Class::introduced_overflow;
    CHECK(presence(verdict_of(Class::agrees, "", "agrees"), "19.0.0", overflow) == Presence::not_run);
    CHECK(presence(proved, "19.0.0", overflow) == Presence::gone);
    // A proof at the case's own sizes says nothing of others.
    std::swap(refuted.own_sizes, refuted.all_sizes);
    CHECK(presence(proved, "19.0.0", refuted) == Presence::not_run);
    proved.all_sizes = verdict::proved(true);
    CHECK(presence(proved, "19.0.0", refuted) == Presence::gone);
}

TEST_CASE("columns stand by version, and programs add versions that no build has") {
    const std::vector<Build> builds{build("here", "19.0.0"), build("/srv/old", "9.0.0")};
    const std::vector<Subject> subjects{subject("a", wrong, "19.0.0"), {"b", "regress/open/b", {}, {}, {}}};
    const auto result = judged(subjects, builds,
                               {{"19.0.0here", {wrong, {}}}, {"9.0.0/srv/old", session::refused("no such directive")}},
                               {{"b", "19.0.0", true}, {"b", "21.0.0", false}, {"c", "22.0.0", true}});
    REQUIRE(result.columns.size() == 3);
    CHECK(result.columns[0].title == "9.0.0");
    CHECK(result.columns[1].where == "here");
    CHECK(result.columns[2].version == "21.0.0");
    REQUIRE(result.bugs.size() == 2);
    CHECK(result.bugs[0].rows[0].presence == Presence::refused);
    CHECK(result.bugs[0].reasons[0] == "no such directive");
    CHECK(result.bugs[0].rows[1].presence == Presence::shows);
    CHECK(result.bugs[1].rows[1] == AtVersion{"19.0.0", Presence::not_run, {}, true});
    CHECK(result.bugs[1].rows[2] == AtVersion{"21.0.0", Presence::not_run, {}, false});
    CHECK(table(result) ==
          "bug  9.0.0    19.0.0    21.0.0     first bad  last bad  mended in\n"
          "a    refused  shows     -          19.0.0     19.0.0    -\n"
          "b    -        -, fails  -, passes  19.0.0     19.0.0    21.0.0\n"
          "a, 9.0.0: refused: no such directive\n"
          "2 bugs: 2 live in 19 and 0 in 21 (1 not known)\n");
    CHECK_FALSE(result.has_fault);
}

TEST_CASE("builds of one version are told apart, and a case without a verdict is compared with the first that shows") {
    const std::vector<Build> builds{build("here", "14.0.0"), build("mutant:m", "14.0.0"), build("/srv/new", "19.0.0")};
    const auto result = judged({subject("a", std::nullopt, "")}, builds,
                               {{"14.0.0here", {verdict_of(Class::agrees), {}}},
                                {"14.0.0mutant:m", {wrong, {}}},
                                {"19.0.0/srv/new", {verdict_of(Class::wrong_lowering, "(c, d]", lowered_wrong), {}}}});
    CHECK(result.columns[0].title == "14.0.0 (here)");
    CHECK(result.columns[1].title == "14.0.0 (mutant:m)");
    CHECK(result.bugs[0].rows[0].presence == Presence::gone);
    CHECK(result.bugs[0].rows[1].presence == Presence::shows);
    CHECK(result.bugs[0].rows[2].presence == Presence::shows);
}

TEST_CASE("known bugs keep the rows of their reports, if every version has one build") {
    Known known{"k", Status::open, "It is known.", "../regress/open/a", {}, {}};
    known.versions = {{"9.0.0", Presence::gone, {}, {}}, {"14.0.0", Presence::gone, {}, true}};
    Known other = known;
    other.report = "../regress/open/z";
    Subject a = subject("a", wrong, "14.0.0");
    a.report = "corpus/regress/open/a";
    const std::vector<Build> builds{build("here", "14.0.0")};
    REQUIRE(can_be_kept({known, other}, "corpus/known", {a}, builds).has_value());
    const auto result = judged({a}, builds, {{"14.0.0here", {wrong, {}}}});
    const auto kept = with_versions({known, other}, "corpus/known", {a}, result);
    REQUIRE(kept.size() == 1);
    CHECK(kept[0].versions ==
          std::vector<AtVersion>{{"9.0.0", Presence::gone, {}, {}}, {"14.0.0", Presence::shows, {}, true}});
    const auto unknown = can_be_kept({other}, "corpus/known", {a}, builds);
    REQUIRE_FALSE(unknown.has_value());
    CHECK(unknown.error().message.starts_with("a: no bug of corpus/known has this report"));
    const auto twice = can_be_kept({known}, "corpus/known", {a}, {builds[0], build("self", "14.0.0")});
    REQUIRE_FALSE(twice.has_value());
    CHECK(twice.error().message.starts_with("here and self both have halide 14.0.0"));
}

TEST_CASE("results of programs are read line by line, and a malformed one is located") {
    const auto read = parse_programs(
        "{\"name\": \"a\", \"version\": \"14.0.0\", \"fails\": true}\n"
        "{\"name\": \"b\", \"version\": \"14.0.0\", \"fails\": null}\n",
        "p.jsonl");
    REQUIRE(read.has_value());
    CHECK(*read == std::vector<ProgramResult>{{"a", "14.0.0", true}, {"b", "14.0.0", std::nullopt}});
    CHECK(parse_programs("", "p.jsonl").value().empty());
    for (const char* bad : {"{\"name\": \"a\", \"version\": \"14.0.0\", \"fails\": 1}", "{\"name\": \"a\"}", "x",
                            "{\"name\": \"a\", \"version\": \"sid\", \"fails\": true}"}) {
        const auto refused = parse_programs(
            "{\"name\": \"a\", \"version\": \"14.0.0\", \"fails\": true}\n" + std::string(bad), "p.jsonl");
        INFO(bad);
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().where.file == "p.jsonl");
        CHECK(refused.error().where.line == 2);
        CHECK(refused.error().message.find("expected") != std::string::npos);
    }
}

TEST_CASE("the schema of judged versions has the keys that are written") {
    const std::vector<Build> builds{build("here", "14.0.0"), build("/srv/a", "19.0.0"), build("/srv/b", "21.0.0")};
    const auto result = judged({subject("a", wrong, "14.0.0")}, builds,
                               {{"14.0.0here", {wrong, {}}},
                                {"19.0.0/srv/a", {verdict_of(Class::wrong_code), {}}},
                                {"21.0.0/srv/b", session::refused("no")}},
                               {{"a", "19.0.0", false}});
    const auto written = nlohmann::json::parse(to_json(result));
    std::ifstream file(HARUSPEX_SOURCE_DIR "/corpus/schema/versions-1.json");
    const auto schema = nlohmann::json::parse(file);
    const auto check = [](const nlohmann::json& object, const nlohmann::json& part) {
        for (const auto& [key, value] : object.items()) {
            INFO(key);
            CHECK(part.at("properties").contains(key));
        }
        for (const auto& key : part.at("required")) { CHECK(object.contains(key)); }
    };
    check(written, schema);
    for (const auto& one : written.at("builds")) { check(one, schema.at("$defs").at("build")); }
    for (const auto& bug : written.at("bugs")) {
        check(bug, schema.at("$defs").at("bug"));
        std::set<std::string> keys;
        for (const auto& row : bug.at("rows")) {
            check(row, schema.at("$defs").at("row"));
            for (const auto& [key, value] : row.items()) { keys.insert(key); }
        }
        CHECK(keys.size() == schema.at("$defs").at("row").at("properties").size());
    }
    CHECK(written.at("bugs")[0].at("mended_in") == "19.0.0");
}

}  // namespace haruspex::bugs
