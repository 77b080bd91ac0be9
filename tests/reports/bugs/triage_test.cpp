#include "reports/bugs/triage.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "generators/case/json.h"
#include "generators/schedule/halide/language.h"
#include "generators/tensor/from_sare.h"
#include "oracle/pipeline/judge_case.h"
#include "reports/bugs/page.h"
#include "reports/session/judging.h"
#include "reports/store/files.h"
#include "tests/reports/minimize/features_compiler.h"
#include "tests/support/catch.h"
#include "tests/support/inconstant.h"
#include "tests/support/scratch.h"
#include "tests/support/verdicts.h"

namespace haruspex::bugs {
namespace {

// `f` is defined for x in [0, W).
Group group(const std::string& name, std::uint64_t cases, const std::string& definition, const std::string& directive) {
    const std::string json = R"({"haruspex_case": 1, "sare": ["sare s(W) { )" + definition +
                             R"( output f on { [x] : 0 <= x < W } }"], "schedule": [")" + directive +
                             R"("], "sizes": {"W": 4}, "inputs": {}, "input_seed": 0, "strict_float": false, )"
                             R"("comparison": "exact", "target": "host"})";
    auto c = cases::parse_case(json, "test");
    INFO((c ? std::string() : to_string(c.error())));
    REQUIRE(c.has_value());
    Group result{name, cases, {}};
    result.smallest.c = std::move(*c);
    result.smallest.verdict = test::finding(verdict::Class::wrong_code);
    return result;
}

// Two groups with the same symptom and irrelevant differences, and one with another symptom.
std::vector<Group> sample() {
    return {group("a", 3, "f(x) = i32<x> * 3i32 update f(x) = f(x) + 2i32", "f.vectorize(x, 4)"),
            group("b", 2, "f(x) = i32<x> update f(x) = f(x) * 5i32", "f.update(0).vectorize(x, 2)"),
            group("c", 1, "f(x) = i32<x> + 1i32", "f.vectorize(x, 8)")};
}

// Wrong code if a case is vectorised and has an update; a crash if it is only vectorised.
const JudgeFor judge_for = [](const store::Finding&) { return test::mentions("directive:vectorize", "update"); };

std::vector<Bug> bugs_of(const std::vector<Known>& known, Options options = {}, const JudgeFor& by = judge_for) {
    options.language = &schedule::halide::language(14);
    auto found = find_bugs(sample(), known, by, options);
    INFO((found ? std::string() : to_string(found.error())));
    REQUIRE(found.has_value());
    return std::move(*found);
}

Known known_of(const Bug& bug, Status status) {
    return {"k", status, "It is known.", "report", {}, {fingerprint(bug.smallest.c, bug.smallest.symptom)}};
}

}  // namespace

TEST_CASE("groups whose minimised cases are alike are one bug, the smallest first") {
    const auto bugs = bugs_of({});
    REQUIRE(bugs.size() == 2);
    CHECK(bugs[0].state == BugState::confirmed);
    CHECK(bugs[0].group == "c");
    CHECK(bugs[0].smallest.symptom.cls == verdict::Class::program_crash);
    CHECK(bugs[1].state == BugState::confirmed);
    CHECK(bugs[1].groups == 2);
    CHECK(bugs[1].cases == 5);
    CHECK(bugs[1].smallest.symptom.cls == verdict::Class::wrong_code);
    CHECK(minimize::size_of(bugs[0].smallest.c) < minimize::size_of(bugs[1].smallest.c));
}

TEST_CASE("a known bug is counted and not reported, unless it is said to be mended") {
    const Bug crash = bugs_of({})[0];
    const auto first_life = [&](Status status) {
        for (const Bug& bug : bugs_of({known_of(crash, status)})) {
            if (bug.known == "k") { return bug.state; }
        }
        return BugState::gone;
    };
    CHECK(first_life(Status::open) == BugState::known);
    CHECK(first_life(Status::documented) == BugState::documented);
    CHECK(first_life(Status::fixed) == BugState::regressed);
    Known mended = known_of(crash, Status::fixed);
    mended.upstream = {LookUp::found, "https://example.org/1"};
    for (const Bug& bug : bugs_of({mended})) {
        const bool is_upstream = entry(1, bug, {mended}).find("upstream: https://example.org/1\n") != std::string::npos;
        CHECK(is_upstream == (bug.known == "k"));
    }
    CHECK_FALSE(is_reported(BugState::known));
    CHECK_FALSE(is_reported(BugState::documented));
    CHECK(is_reported(BugState::regressed));
    const std::vector<Known> known{known_of(crash, Status::open)};
    const auto bugs = bugs_of(known);
    REQUIRE(bugs.size() == 2);
    CHECK(bugs[0].smallest.symptom.cls == verdict::Class::wrong_code);
    CHECK(remainder(bugs, known) ==
          "     known          1 cases  k: It is known.\n"
          "1 bugs to look at; 1 known or not shown again; 3 groups of findings\n");
    std::vector<Known> looked_up = known;
    looked_up[0].upstream = {LookUp::found, "https://example.org/1"};
    CHECK(remainder(bugs, looked_up)
              .find("k: It is known.\n" + std::string(30, ' ') + "upstream: https://example.org/1\n") !=
          std::string::npos);
    looked_up[0].upstream = {LookUp::none_found, {}};
    CHECK(remainder(bugs, looked_up).find("upstream: none found\n") != std::string::npos);
}

TEST_CASE("the page of bugs shows each that has a report, with its program, and names all others") {
    const std::vector<Known> known{known_of(bugs_of({})[0], Status::open)};
    const auto bugs = bugs_of(known);
    REQUIRE(bugs.size() == 2);
    const std::string page =
        to_html({{&bugs[0], "Wrong code: a < b", "f(x) = x;\nf.vectorize(x);\n", "b#1/report.html"}}, bugs, known,
                "Halide 14 & more");
    const auto holds = [&page](const std::string& part) { return page.find(part) != std::string::npos; };
    CHECK(holds("<h1>Bugs of Halide 14 &amp; more</h1>"));
    CHECK(holds("1 bugs to look at; 1 known or not shown again; 3 groups of findings"));
    CHECK(holds("<a href=\"#bug-1\">Wrong code: a &lt; b</a>"));
    CHECK(holds("<section id=\"bug-1\"><h2>Wrong code: a &lt; b</h2>\n<p>confirmed, 5 cases<br>"));
    CHECK(holds(">f(x) = x;\nf.vectorize(x);\n</pre>"));
    CHECK(holds("<a href=\"b%231/report.html\">"));
    CHECK(holds("<li>known, 1 case: k: It is known.</li>"));
    std::vector<Known> looked_up = known;
    looked_up[0].upstream = {LookUp::found, "https://example.org/?a&b"};
    CHECK(to_html({}, bugs, looked_up, "")
              .find("<li>known, 1 case: k: It is known.<br>\nupstream: <a href=\"https://example.org/?a&amp;b\">"
                    "https://example.org/?a&amp;b</a></li>") != std::string::npos);
    looked_up[0].upstream = {LookUp::none_found, {}};
    CHECK(to_html({}, bugs, looked_up, "").find("<br>\nupstream: none found</li>") != std::string::npos);
    // A bug without a report is still listed.
    CHECK(to_html({}, bugs, known, "").find("<li>confirmed, 5 cases: " + bugs[0].group + "</li>") != std::string::npos);
}

TEST_CASE("a finding that needs another feature than the known bug is reported, and said to resemble it") {
    Known other = known_of(bugs_of({})[0], Status::open);
    other.fingerprints[0].features.insert("tuple");
    const auto bugs = bugs_of({other});
    REQUIRE(bugs.size() == 2);
    CHECK(bugs[0].state == BugState::confirmed);
    CHECK(bugs[0].known.empty());
    CHECK(bugs[0].resembles == "k");
    CHECK(entry(1, bugs[0], {}).find("resembles k\n") != std::string::npos);
    CHECK(bugs[1].resembles.empty());
}

TEST_CASE("a program of whole tensors is told apart by what its bug needs, and is shown as it is") {
    // A sum reads a tensor of two dimensions or more, which a program of equations need not.
    Group tensors = sample()[1];
    auto c = cases::parse_case(
        R"json({"haruspex_case": 1, "sare": ["sare s(W) assuming W >= 1 { input a : i32[3] t(i) = 0i32",
                "update t(i) = t(i) + a(i, k, k) over k in [0, 2) output t on { [i] : 0 <= i < W } }"],
                "schedule": ["t.update(0).vectorize(i, 2)"], "sizes": {"W": 4},
                "inputs": {"a": {"min": 0, "max": 7, "scale": 0, "special_values": false}}, "input_seed": 0,
                "strict_float": false, "comparison": "exact", "target": "host"})json",
        "test");
    INFO((c ? std::string() : to_string(c.error())));
    REQUIRE(c.has_value());
    REQUIRE(tensor::from_sare(c->sare).has_value());
    tensors.name = "tensors";
    tensors.smallest.c = std::move(*c);
    Options options;
    options.language = &schedule::halide::language(14);

    const auto examined = examine_group(tensors, {}, judge_for, options, 1000);
    REQUIRE(examined.has_value());
    REQUIRE(examined->best.has_value());
    CHECK(tensor::from_sare(examined->best->c.sare).has_value());
    REQUIRE(examined->freed.has_value());
    CHECK(&told_by(*examined) == &*examined->freed);
    CHECK(minimize::size_of(examined->freed->c) < minimize::size_of(examined->best->c));
    const auto again = parse_examination(to_json(examined));
    REQUIRE(again.has_value());
    REQUIRE(again->freed.has_value());
    CHECK(again->freed->c == examined->freed->c);

    // With a bug of equations it is one bug; if that is known, it is, too.
    std::vector<Group> groups{sample()[0], tensors};
    const auto bugs = find_bugs(groups, {}, judge_for, options);
    REQUIRE(bugs.has_value());
    REQUIRE(bugs->size() == 1);
    CHECK(bugs->front().groups == 2);
    const auto rest = find_bugs({tensors}, {known_of(bugs_of({})[1], Status::open)}, judge_for, options);
    REQUIRE(rest.has_value());
    REQUIRE(rest->size() == 1);
    CHECK(rest->front().known == "k");
    CHECK(tensor::from_sare(rest->front().smallest.c.sare).has_value());
    // A program of equations has nothing to be set free of.
    const auto plain = examine_group(sample()[0], {}, judge_for, options, 1000);
    REQUIRE(plain.has_value());
    CHECK_FALSE(plain->freed.has_value());
}

TEST_CASE("a known bug is listed with the versions in which it lives, wherever it is named") {
    Known known = known_of(bugs_of({})[0], Status::open);
    known.versions = {{"14.0.0", Presence::shows, {}, {}}, {"19.0.0", Presence::gone, {}, {}}};
    const std::string words = "k, lives in 14, mended in 19";
    const auto bugs = bugs_of({known});
    CHECK(remainder(bugs, {known}).find("  " + words + ": It is known.\n") != std::string::npos);
    CHECK(to_html({}, bugs, {known}, "").find("<li>known, 1 case: " + words + ": It is known.</li>") !=
          std::string::npos);
    Known mended = known;
    mended.status = Status::fixed;
    const auto regressed = bugs_of({mended});
    REQUIRE(regressed[0].state == BugState::regressed);
    CHECK(entry(1, regressed[0], {mended}).find("known as " + words + "; said to be mended\n") != std::string::npos);
    Known other = known;
    other.fingerprints[0].features.insert("tuple");
    CHECK(entry(1, bugs_of({other})[0], {other}).find("resembles " + words + "\n") != std::string::npos);
}

TEST_CASE("what the budget does not reach is new, and what does not show again is gone") {
    Options options;
    options.most_runs = 1;
    // The smallest group's case uses up the only run.
    auto bugs = bugs_of({}, options);
    REQUIRE(bugs.size() == 2);
    CHECK(bugs[0].state == BugState::confirmed);
    CHECK(bugs[0].group == "c");
    // These two groups are alike as filed, and unlike the minimised first one.
    CHECK(bugs[1].state == BugState::unexamined);
    CHECK(bugs[1].groups == 2);
    CHECK(bugs[1].cases == 5);
    CHECK(bugs[1].smallest.symptom.cls == verdict::Class::wrong_code);

    const JudgeFor nothing = [](const store::Finding&) { return test::mentions("tuple", "update"); };
    bugs = bugs_of({}, {}, nothing);
    REQUIRE(bugs.size() == 3);
    for (const Bug& bug : bugs) { CHECK(bug.state == BugState::gone); }
    CHECK(remainder(bugs, {}).find("0 bugs to look at; 3 known or not shown again") != std::string::npos);
}

TEST_CASE("what the budget does not reach is counted with a bug that goes wrong alike") {
    Options options;
    options.most_runs = 1;
    options.language = &schedule::halide::language(14);
    auto groups = sample();
    groups.pop_back();
    const auto found = find_bugs(std::move(groups), {}, judge_for, options);
    REQUIRE(found.has_value());
    REQUIRE(found->size() == 1);
    const Bug& bug = found->front();
    CHECK(bug.state == BugState::confirmed);
    CHECK(bug.cases + bug.unexamined == 5);
    CHECK(bug.unexamined > 0);
    CHECK(entry(1, bug, {}).find(std::to_string(bug.unexamined) + " more cases go wrong there") != std::string::npos);
}

TEST_CASE("what the budget cuts is counted with a bug that goes wrong alike, and is none of its own") {
    Options options;
    options.language = &schedule::halide::language(14);
    for (options.most_runs = 1; options.most_runs < 150; options.most_runs += 8) {
        std::vector<Group> groups{
            group("a", 3, "f(x) = i32<x> update f(x) = f(x) * 5i32", "f.vectorize(x, 2)"),
            group("b", 1, "f(x) = u8<x> * 3u8 - 7u8 update f(x) = f(x) * 5u8 + 3u8 - 1u8", "f.vectorize(x, 2)")};
        const auto found = find_bugs(std::move(groups), {}, judge_for, options);
        REQUIRE(found.has_value());
        CAPTURE(options.most_runs);
        REQUIRE(found->size() == 1);
        CHECK(found->front().cases + found->front().unexamined == 4);
    }
}

TEST_CASE("a race that is a wrong value without its parallel loop is one of the bug that gives wrong values") {
    // An update is lowered wrongly in one pass; with a parallel loop it is a race, but only for u8.
    const JudgeFor by = [](const store::Finding&) -> session::Judge {
        return [](const cases::Case& c) {
            const std::set<std::string> features = triage::features(c);
            const bool races = features.contains("directive:parallel");
            if (!features.contains("update") || (races && !features.contains("type:u8"))) {
                return test::finding(verdict::Class::agrees);
            }
            verdict::Verdict verdict = test::finding(verdict::Class::wrong_lowering);
            verdict.pass = a_pass("(a, b]");
            verdict.lowered = a_lowered(races ? "read_write_race: reads f[0]" : "f(0) is 1i32, expected 2i32");
            return verdict;
        };
    };
    const auto groups = [] {
        return std::vector{group("value", 3, "f(x) = i32<x> update f(x) = f(x) + 2i32", "f.vectorize(x, 4)"),
                           group("race", 2, "f(x) = u8<x> update f(x) = f(x) * 5u8", "f.update(0).parallel(x)")};
    };
    Options options;
    options.language = &schedule::halide::language(14);
    const auto found = find_bugs(groups(), {}, by, options);
    REQUIRE(found.has_value());
    REQUIRE(found->size() == 1);
    const Bug& bug = found->front();
    CHECK(bug.cases == 5);
    CHECK(to_string(bug.smallest.symptom.sign) == "value");
    // It also belongs to a known bug that gives wrong values.
    const auto again = find_bugs(groups(), {known_of(bug, Status::open)}, by, options);
    REQUIRE(again.has_value());
    REQUIRE(again->size() == 1);
    CHECK(again->front().state == BugState::known);
    CHECK(again->front().cases == 5);
}

TEST_CASE("what a later pass makes of a bug is counted with it") {
    // A tensor computed at root and read, without an update, is wrong after one pass. If it is vectorised, a later pass
    // goes wrong in another way.
    const JudgeFor by = [](const store::Finding&) -> session::Judge {
        return [](const cases::Case& c) {
            const std::set<std::string> features = triage::features(c);
            verdict::Verdict verdict = test::finding(verdict::Class::wrong_lowering);
            if (!features.contains("directive:compute_root")) { return test::finding(verdict::Class::agrees); }
            if (features.contains("directive:vectorize")) {
                verdict.pass = a_pass("(b, c]");
                verdict.lowered = a_lowered("lane_conflict: writes f[0]");
                return verdict;
            }
            if (features.contains("update")) { return test::finding(verdict::Class::agrees); }
            verdict.pass = a_pass("(a, b]");
            verdict.lowered = a_lowered("f(0) is 1i32, expected 2i32");
            return verdict;
        };
    };
    const std::string read = "g(x) = i32<x> f(x) = g(x)";
    Options options;
    options.language = &schedule::halide::language(14);
    options.passes = triage::PassOrder({"a", "b", "c"});
    const auto lanes = [&] { return group("lanes", 2, read, "g.compute_root()\", \"g.vectorize(x, 4)"); };
    const auto found = find_bugs({group("value", 3, read, "g.compute_root()"), lanes()}, {}, by, options);
    REQUIRE(found.has_value());
    REQUIRE(found->size() == 1);
    const Bug& bug = found->front();
    CHECK(bug.cases == 5);
    CHECK(bug.groups == 2);
    CHECK(to_string(bug.smallest.symptom.sign) == "value");
    CHECK(bug.consequences == std::set<triage::Symptom>{a_symptom("wrong_lowering", "(b, c]", "lane_conflict")});
    CHECK(entry(1, bug, {}).find("later passes make of it: wrong_lowering lane_conflict (b, c]\n") !=
          std::string::npos);
    // Without a finding in the earlier pass it is a bug of its own.
    const auto alone = find_bugs({lanes()}, {}, by, options);
    REQUIRE(alone.has_value());
    REQUIRE(alone->size() == 1);
    CHECK(to_string(alone->front().smallest.symptom.sign) == "lane_conflict");
    CHECK(alone->front().consequences.empty());
}

TEST_CASE("what the budget does not reach is counted with a known bug that covers it") {
    auto groups = sample();
    groups.pop_back();
    Options options;
    options.language = &schedule::halide::language(14);
    const auto all = find_bugs(groups, {}, judge_for, options);
    REQUIRE(all.has_value());
    Known known = known_of(all->front(), Status::open);
    known.covers = {{known.fingerprints[0].symptom, {"update"}}};
    // Find a budget that reaches only the smallest group.
    for (options.most_runs = 1; options.most_runs < 100; ++options.most_runs) {
        const auto found = find_bugs(groups, {known}, judge_for, options);
        REQUIRE(found.has_value());
        if (found->front().state != BugState::known) { continue; }
        REQUIRE(found->size() == 1);
        CHECK(found->front().cases + found->front().unexamined == 5);
        CHECK(found->front().unexamined > 0);
        CHECK(remainder(*found, {known}).find("more cases go wrong there, and were not looked at") !=
              std::string::npos);
        return;
    }
    FAIL("the budget never reached one group");
}

TEST_CASE("a known bug that covers what the budget does not reach need not have been found") {
    auto groups = sample();
    Options options;
    options.language = &schedule::halide::language(14);
    options.most_runs = 1;
    const triage::Symptom wrong = a_symptom("wrong_code", "", "");
    const auto lives = [&](Status status) {
        Known known{"k", status, "It is known.", "report", {}, {{a_symptom("wrong_lowering", "(a, b]", "value"), {}}},
                    {}};
        known.covers = {{wrong, {"update"}}};
        const auto found = find_bugs(groups, {known}, judge_for, options);
        REQUIRE(found.has_value());
        REQUIRE(found->size() == 2);
        return std::pair((*found)[0].state, (*found)[1]);
    };
    const auto [confirmed, covered] = lives(Status::open);
    CHECK(confirmed == BugState::confirmed);
    CHECK(covered.state == BugState::known);
    CHECK(covered.cases == 0);
    CHECK(covered.unexamined == 5);
    CHECK(covered.groups == 2);
    // A fixed bug may only be reported as back after examination.
    CHECK(lives(Status::fixed).second.state == BugState::unexamined);
}

TEST_CASE("a fault of ours that a known bug explains is counted with it") {
    const JudgeFor by = [](const store::Finding&) -> session::Judge {
        return [](const cases::Case& c) {
            const bool shows = triage::features(c).contains("update");
            return test::finding(shows ? verdict::Class::translation_fault : verdict::Class::agrees);
        };
    };
    const auto faults = [] {
        auto groups = sample();
        groups.pop_back();
        for (Group& group : groups) { group.smallest.verdict = test::finding(verdict::Class::translation_fault); }
        return groups;
    };
    Options options;
    options.language = &schedule::halide::language(14);
    const auto alone = find_bugs(faults(), {}, by, options);
    REQUIRE(alone.has_value());
    REQUIRE(alone->size() == 1);
    CHECK(is_reported(alone->front().state));
    CHECK(alone->front().own_faults == 5);
    const auto explained = find_bugs(faults(), {known_of(alone->front(), Status::open)}, by, options);
    REQUIRE(explained.has_value());
    REQUIRE(explained->size() == 1);
    CHECK(explained->front().state == BugState::known);
    CHECK(explained->front().own_faults == 5);
}

TEST_CASE("a group that haruspex itself fails on is told, and the others are examined all the same") {
    const JudgeFor dies = [](const store::Finding& finding) -> session::Judge {
        if (finding.verdict.cls != verdict::Class::wrong_result) { return judge_for(finding); }
        return [](const cases::Case&) -> verdict::Verdict { throw std::runtime_error("no more memory"); };
    };
    for (const int jobs : {1, 3}) {
        auto groups = sample();
        groups[0].smallest.verdict = test::finding(verdict::Class::wrong_result);
        groups[1].smallest.verdict = test::finding(verdict::Class::harness_failure);
        groups[1].smallest.verdict.message = "the child broke the protocol";
        Options options;
        options.language = &schedule::halide::language(14);
        options.jobs = jobs;
        const auto found = find_bugs(std::move(groups), {}, dies, options);
        REQUIRE(found.has_value());
        REQUIRE(found->size() == 3);
        std::map<std::string, const Bug*> by_group;
        for (const Bug& bug : *found) {
            by_group[bug.group] = &bug;
            CHECK(is_reported(bug.state));
        }
        CHECK(by_group.at("c")->failure.empty());
        CHECK(by_group.at("a")->failure.find("no more memory") != std::string::npos);
        CHECK(by_group.at("b")->failure == "the child broke the protocol");
        CHECK(entry(1, *by_group.at("b"), {}) == "  1  new            2 cases  haruspex itself fails: b\n" +
                                                     std::string(30, ' ') + "the child broke the protocol\n");
    }
}

TEST_CASE("a campaign's groups are those of its findings, and of the faults of haruspex itself") {
    tests::ScratchFolder scratch;
    CHECK_FALSE(groups_in(scratch.path() / "nowhere").has_value());
    auto store = store::Store::open(scratch.path() / "night");
    REQUIRE(store.has_value());
    const auto file = [&](Group group, verdict::Class cls, std::uint64_t index) {
        group.smallest.verdict = test::finding(cls);
        group.smallest.group = group.name;
        group.smallest.index = index;
        REQUIRE(store->add(group.smallest).has_value());
    };
    file(sample()[0], verdict::Class::translation_fault, 0);
    auto groups = groups_in(scratch.path() / "night");
    REQUIRE(groups.has_value());
    CHECK(groups->size() == 1);
    file(sample()[1], verdict::Class::wrong_code, 1);
    file(sample()[1], verdict::Class::wrong_code, 2);
    groups = groups_in(scratch.path() / "night");
    REQUIRE(groups.has_value());
    REQUIRE(groups->size() == 2);
    CHECK((*groups)[0].name == "b");
    CHECK((*groups)[0].cases == 2);
    CHECK((*groups)[1].smallest.verdict.cls == verdict::Class::translation_fault);
}

TEST_CASE("the bugs are the same for any number of jobs and any budget") {
    const auto pages = [](std::uint64_t most_runs, int jobs) {
        Options options;
        options.most_runs = most_runs;
        options.jobs = jobs;
        options.runs_of_group = 40;
        std::vector<std::string> listened;
        options.language = &schedule::halide::language(14);
        std::vector<Group> groups = sample();
        groups.push_back(
            group("d", 1, "f(x) = u8<x> * 3u8 - 7u8 update f(x) = f(x) * 5u8 + 3u8 - 1u8", "f.vectorize(x, 2)"));
        const auto found =
            find_bugs(std::move(groups), {}, judge_for, options, [&](std::size_t number, std::size_t, const Group& g) {
                listened.push_back(std::to_string(number) + g.name);
            });
        REQUIRE(found.has_value());
        std::string text;
        for (const Bug& bug : *found) {
            text += std::string(name(bug.state)) + " " + bug.group + " " + std::to_string(bug.groups) + " " +
                    std::to_string(bug.cases) + " " + std::to_string(bug.unexamined) + " " +
                    cases::to_json(bug.smallest.c) + "\n";
        }
        for (const std::string& one : listened) { text += one + "\n"; }
        return text;
    };
    std::set<std::string> different;
    for (const std::uint64_t most_runs : {0, 1, 2, 15, 33, 40, 41, 60, 75, 90, 110, 1000}) {
        CAPTURE(most_runs);
        const std::string alone = pages(most_runs, 1);
        different.insert(alone);
        CHECK(pages(most_runs, 2) == alone);
        CHECK(pages(most_runs, 9) == alone);
    }
    CHECK(different.size() > 4);
}

TEST_CASE("a smaller case of a hang is waited for once, and one of a known hang never") {
    tests::ScratchFolder scratch;
    const auto waits = scratch.path() / "waits";
    const auto hang = [](const cases::Case& c, const char* limit) {
        verdict::Verdict verdict = test::mentions("directive:vectorize", "update")(c);
        if (verdict.cls != verdict::Class::wrong_code) { return test::finding(verdict::Class::agrees); }
        verdict.cls = verdict::Class::compiler_hang;
        verdict.message = limit;
        return verdict;
    };
    const JudgeFor hastily = [&](const store::Finding&) {
        return [&](const cases::Case& c) { return hang(c, "short"); };
    };
    Options options;
    options.language = &schedule::halide::language(14);
    options.glance_for = hastily;
    // Looks are made in processes of their own.
    options.patient_for = [&](const store::Finding&) {
        return [&](const cases::Case& c) {
            std::ofstream(waits, std::ios::app) << "waited\n";
            return hang(c, "long");
        };
    };
    const auto triage = [&](const std::vector<Known>& known) {
        std::filesystem::remove(waits);
        std::vector<Group> groups{sample()[0]};
        groups[0].smallest.verdict = hang(groups[0].smallest.c, "of the campaign");
        auto found = find_bugs(std::move(groups), known, hastily, options);
        REQUIRE(found.has_value());
        REQUIRE(found->size() == 1);
        return std::move(found->front());
    };
    const Bug bug = triage({});
    CHECK(bug.state == BugState::confirmed);
    CHECK(bug.smallest.verdict.message == "long");
    CHECK(store::read_file(waits).value_or("") == "waited\n");
    CHECK(triage({known_of(bug, Status::open)}).state == BugState::known);
    CHECK_FALSE(std::filesystem::exists(waits));
}

TEST_CASE("the last group that the budget reaches has what is left of it") {
    std::set<std::string> cases_of_last;
    Options options;
    options.language = &schedule::halide::language(14);
    options.jobs = 2;
    for (options.most_runs = 1; options.most_runs < 60; ++options.most_runs) {
        std::vector<Group> groups{
            group("a", 1, "f(x) = i32<x>", "f.vectorize(x, 2)"),
            group("b", 1, "f(x) = u8<x> * 3u8 - 7u8 update f(x) = f(x) * 5u8 + 3u8 - 1u8", "f.vectorize(x, 2)")};
        const auto found = find_bugs(std::move(groups), {}, judge_for, options);
        REQUIRE(found.has_value());
        for (const Bug& bug : *found) {
            if (bug.group == "b") { cases_of_last.insert(cases::to_json(bug.smallest.c)); }
        }
    }
    CHECK(cases_of_last.size() > 4);
}

TEST_CASE("the groups that are counted are those that are examined") {
    auto groups = sample();
    const std::size_t examined = groups.size();
    groups.push_back(groups.front());
    groups.back().name = "ours";
    groups.back().smallest.verdict = test::finding(verdict::Class::harness_failure);
    std::vector<std::pair<std::size_t, std::size_t>> heard;
    Options options;
    options.language = &schedule::halide::language(14);
    const auto found =
        find_bugs(std::move(groups), {}, judge_for, options,
                  [&](std::size_t number, std::size_t count, const Group&) { heard.emplace_back(number, count); });
    REQUIRE(found.has_value());
    REQUIRE(heard.size() == examined);
    for (std::size_t i = 0; i < examined; ++i) { CHECK(heard[i] == std::pair(i + 1, examined)); }
}

TEST_CASE("every symptom is looked at before one is looked at twice") {
    // Two small groups with one symptom, and a larger one with another.
    auto groups = sample();
    groups[0].smallest.verdict = test::finding(verdict::Class::program_crash);
    std::vector<std::string> examined;
    Options options;
    options.language = &schedule::halide::language(14);
    const auto found =
        find_bugs(std::move(groups), {}, judge_for, options, [&](std::size_t, std::size_t, const Group& group) {
            examined.push_back(group.smallest.verdict.cls == verdict::Class::program_crash ? "crash" : "code");
        });
    REQUIRE(found.has_value());
    CHECK(examined == std::vector<std::string>{"code", "crash", "code"});
}

TEST_CASE("an unsound proof that was found at another size is judged again as it was, and confirmed") {
    const std::string right = "for x in [0, W) { f[x] {f(x)} := u8<x>; }";
    test::Deceptive compiler(right, "for x in [0, W) { f[x] {f(x)} := u8<x + 1>; }");
    compiler::ForkServer server(compiler, {});
    const cases::Case c = test::case_of_numbers();
    pipeline::Options options;
    options.validate = true;
    options.other_sizes = 3;
    const pipeline::Judged judged = pipeline::judge_case(c, server, compiler.identity(), options);
    REQUIRE(judged.found_at);
    Group filed{"unsound", 1, {}};
    filed.smallest.c = cases::at_sizes(c, *judged.found_at);
    filed.smallest.verdict = judged.verdict;
    Options budget;
    budget.runs_of_group = 1;
    budget.language = &schedule::halide::language(14);
    const JudgeFor by = [&](const store::Finding& finding) -> session::Judge {
        return [&, judging = session::judging_again(finding.verdict)](const cases::Case& smaller) {
            return pipeline::judge_case(smaller, server, compiler.identity(), judging).verdict;
        };
    };
    const auto bugs = find_bugs({filed}, {}, by, budget);
    REQUIRE(bugs.has_value());
    REQUIRE(bugs->size() == 1);
    CHECK(bugs->front().state == BugState::confirmed);
    CHECK(bugs->front().smallest.symptom.cls == verdict::Class::unsound_validator);
}

}  // namespace haruspex::bugs
