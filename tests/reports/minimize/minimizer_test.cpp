#include "reports/minimize/minimizer.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "generators/base/choice.h"
#include "generators/case/json.h"
#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "reports/minimize/reducer.h"
#include "tests/reports/minimize/features_compiler.h"
#include "tests/support/catch.h"
#include "tests/support/verdicts.h"

namespace haruspex::minimize {
namespace {

const schedule::Language& language = schedule::halide::language(14);

struct Drawn {
    cases::Case c;
    std::string first, second;  // features of the case
};

// Draws cases with two features each, at least one of which a minimiser can remove.
std::vector<Drawn> draw(std::uint64_t seed, std::size_t count) {
    std::vector<Drawn> drawn;
    for (std::uint64_t index = 0; drawn.size() < count; ++index) {
        Drawn d{random::campaign_case(seed, index, {}, language), {}, {}};
        if (d.c.schedule.directives.empty()) { continue; }
        std::vector<std::string> values, directives;
        for (const std::string& feature : triage::features(d.c)) {
            if (feature.starts_with("op:") || feature.starts_with("access:")) { values.push_back(feature); }
            if (feature.starts_with("directive:")) { directives.push_back(feature); }
        }
        if (values.empty() || directives.empty()) { continue; }
        Choices choices(random_source(derive_seed(seed, index)));
        d.first = choices.one_of(values);
        d.second = choices.one_of(directives);
        drawn.push_back(std::move(d));
    }
    return drawn;
}

Minimised run(const cases::Case& c, const session::Judge& judge, Options options = {}, const Listener& listener = {}) {
    options.language = &language;
    auto result = minimize(c, judge, options, listener);
    REQUIRE(result.has_value());
    REQUIRE(result->has_value());
    return std::move(**result);
}

bool same(const Minimised& a, const Minimised& b) {
    if (a.others.size() != b.others.size()) { return false; }
    for (std::size_t i = 0; i < a.others.size(); ++i) {
        if (a.others[i].c != b.others[i].c || a.others[i].symptom != b.others[i].symptom) { return false; }
    }
    return a.best.c == b.best.c && a.runs == b.runs && a.ending == b.ending;
}

}  // namespace

TEST_CASE("what is left has the finding, is no larger, and nothing smaller has it") {
    for (const Drawn& drawn : draw(11, 8)) {
        CAPTURE(drawn.c.sare.name, drawn.first, drawn.second);
        const session::Judge judge = test::mentions(drawn.first, drawn.second);
        const Minimised result = run(drawn.c, judge);
        CAPTURE(cases::to_json(result.best.c));
        CHECK(result.ending == Ending::fixpoint);
        CHECK(triage::symptom(result.best.c, judge(result.best.c)) == result.best.symptom);
        CHECK(result.best.symptom.cls == verdict::Class::wrong_code);
        CHECK(size_of(result.best.c) <= size_of(drawn.c));
        // Each feature needs one tensor, or one directive and the directives that it depends on.
        CHECK(size_of(result.best.c).parts[Size::tensors] <= 2);
        CHECK(result.best.c.schedule.directives.size() <= 3);
        const Minimised again = run(result.best.c, judge);
        CHECK(again.best.c == result.best.c);
        CHECK(again.ending == Ending::fixpoint);
    }
}

TEST_CASE("a smaller case of another symptom is kept, not followed") {
    std::size_t others = 0;
    for (const Drawn& drawn : draw(12, 6)) {
        CAPTURE(drawn.c.sare.name, drawn.first, drawn.second);
        std::vector<Found> told;
        Listener listener;
        listener.better = [&](const Found& found) {
            told.push_back(found);
            return Result<void>();
        };
        const Minimised result = run(drawn.c, test::mentions(drawn.first, drawn.second), {}, listener);
        REQUIRE_FALSE(told.empty());
        CHECK(told.front().c == drawn.c);
        CHECK(told.back().c == result.best.c);
        for (std::size_t i = 0; i < told.size(); ++i) {
            CHECK(told[i].symptom == result.best.symptom);
            if (i > 0) { CHECK(size_of(told[i].c) < size_of(told[i - 1].c)); }
        }
        for (const Found& other : result.others) {
            CHECK(other.symptom.cls == verdict::Class::program_crash);
            CHECK(size_of(other.c) < size_of(drawn.c));
            CHECK(triage::features(other.c).contains(drawn.first));
        }
        CHECK(result.others.size() <= 1);
        others += result.others.size();
    }
    CHECK(others > 0);
}

TEST_CASE("of every other symptom a case is kept") {
    // Cases without the finding crash, with a signal that depends on the number of directives.
    std::size_t most = 0;
    for (const Drawn& drawn : draw(13, 6)) {
        CAPTURE(drawn.c.sare.name, drawn.first, drawn.second);
        const session::Judge sought = test::mentions(drawn.first, drawn.second);
        const session::Judge judge = [&](const cases::Case& c) {
            verdict::Verdict verdict = sought(c);
            if (verdict.cls == verdict::Class::wrong_code) { return verdict; }
            verdict.cls = verdict::Class::program_crash;
            verdict.signal = static_cast<int>(c.schedule.directives.size() % 3) + 1;
            return verdict;
        };
        const Minimised result = run(drawn.c, judge);
        std::set<triage::Symptom> kept;
        for (const Found& other : result.others) {
            CHECK(triage::symptom(other.c, judge(other.c)) == other.symptom);
            CHECK(kept.insert(other.symptom).second);
        }
        most = std::max(most, kept.size());
    }
    CHECK(most == 3);
}

TEST_CASE("the outcome is the same for any number of jobs") {
    for (const Drawn& drawn : draw(13, 4)) {
        CAPTURE(drawn.c.sare.name);
        const session::Judge judge = test::mentions(drawn.first, drawn.second);
        Options options;
        const Minimised one = run(drawn.c, judge, options);
        CHECK(one.surplus_runs == 0);
        options.jobs = 2;
        CHECK(same(run(drawn.c, judge, options), one));
        options.jobs = 5;
        options.most_runs = one.runs / 2;
        const Minimised stopped = run(drawn.c, judge, options);
        options.jobs = 1;
        CHECK(same(run(drawn.c, judge, options), stopped));
    }
}

TEST_CASE("a budget of runs ends it with the smallest case so far") {
    const Drawn drawn = draw(14, 1).front();
    const session::Judge judge = test::mentions(drawn.first, drawn.second);
    const Minimised whole = run(drawn.c, judge);
    REQUIRE(whole.runs > 10);
    Options options;
    options.most_runs = 10;
    const Minimised part = run(drawn.c, judge, options);
    CHECK(part.ending == Ending::budget_spent);
    CHECK(part.runs == 10);
    CHECK(part.best.symptom == whole.best.symptom);
    CHECK(size_of(part.best.c) > size_of(whole.best.c));
    options.most_runs = whole.runs;
    CHECK(run(drawn.c, judge, options).ending == Ending::fixpoint);
    std::uint64_t runs = 1;
    for (const PassFigures& figures : whole.figures) { runs += figures.runs; }
    CHECK(runs == whole.runs);
}

TEST_CASE("what was glanced at is confirmed, and where the glance was wrong all is looked at") {
    const Drawn drawn = draw(18, 1).front();
    const session::Judge judge = test::mentions(drawn.first, drawn.second);
    const Minimised whole = run(drawn.c, judge);
    Options options;
    options.glance = [&](const cases::Case& c) {
        verdict::Verdict verdict = judge(c);
        verdict.message = "at a glance";
        return verdict;
    };
    std::vector<std::string> told;
    Listener listener;
    listener.better = [&](const Found& found) {
        told.push_back(found.verdict.message);
        return Result<void>();
    };
    const Minimised glanced = run(drawn.c, judge, options, listener);
    CHECK(glanced.best.c == whole.best.c);
    CHECK(glanced.best.verdict.message.empty());
    CHECK(glanced.runs == whole.runs + 1);
    REQUIRE(told.size() > 2);
    CHECK(told.front().empty());
    CHECK(told[1] == "at a glance");
    CHECK(told.back().empty());
    // This glance also accepts cases without the second feature.
    options.glance = test::mentions(drawn.first, drawn.first);
    const Minimised misled = run(drawn.c, judge, options);
    CHECK(misled.best.c == whole.best.c);
    CHECK(misled.runs > whole.runs + 1);
}

namespace {

verdict::Verdict hang(const std::string& limit) {
    verdict::Verdict verdict = test::finding(verdict::Class::compiler_hang);
    verdict.message = limit;
    return verdict;
}

}  // namespace

TEST_CASE("a hang is one only for a look that waits longer, and a known one is not waited for") {
    const Drawn drawn = draw(18, 1).front();
    // The impatient looks take every case for a hang that has the first feature.
    const auto looks_like_it = test::mentions(drawn.first, drawn.first);
    const auto is_it = test::mentions(drawn.first, drawn.second);
    const auto by = [](const session::Judge& mentions, const char* limit) {
        return [&mentions, limit](const cases::Case& c) {
            return mentions(c).cls == verdict::Class::wrong_code ? hang(limit) : test::finding(verdict::Class::agrees);
        };
    };
    // Asked in a process of its own, as every look.
    const auto longer = [](const session::Judge& examine) {
        return [examine](const Found& found) { return examine(found.c); };
    };
    Options options;
    options.waited_for = hang("of the campaign");
    const session::Judge examine = by(looks_like_it, "short");
    // What looks like a hang is one.
    options.glance = by(looks_like_it, "glance");
    options.patient = longer(by(looks_like_it, "long"));
    std::vector<std::string> told;
    Listener listener;
    listener.better = [&](const Found& found) {
        told.push_back(found.verdict.message);
        return Result<void>();
    };
    const Minimised sure = run(drawn.c, examine, options, listener);
    CHECK(told.front() == "of the campaign");
    CHECK(sure.best.verdict.message == "long");
    CHECK(size_of(sure.best.c) < size_of(drawn.c));
    CHECK(sure.ending == Ending::fixpoint);
    // The smaller cases are only slow: the case itself is left.
    options.patient = longer(by(is_it, "long"));
    const Minimised slow = run(drawn.c, examine, options);
    CHECK(slow.best.c == drawn.c);
    CHECK(slow.best.verdict.message == "of the campaign");
    CHECK(slow.ending == Ending::budget_spent);
    // A case that was never waited for is slow, too.
    options.waited_for.reset();
    options.patient = [](const Found&) { return test::finding(verdict::Class::agrees); };
    options.language = &language;
    const auto none = minimize(drawn.c, examine, options);
    REQUIRE(none.has_value());
    CHECK_FALSE(none->has_value());
}

TEST_CASE("a candidate that only takes long is no other finding") {
    const Drawn drawn = draw(12, 1).front();
    const session::Judge examine = [&](const cases::Case& c) {
        const auto verdict = test::mentions(drawn.first, drawn.second)(c);
        return verdict.cls == verdict::Class::program_crash ? hang("short") : verdict;
    };
    Options options;
    const Minimised unsure = run(drawn.c, examine, options);
    options.patient = [&](const Found& found) { return examine(found.c); };
    const Minimised result = run(drawn.c, examine, options);
    CHECK(result.best.c == unsure.best.c);
    CHECK(unsure.others.size() == 1);
    CHECK(result.others.empty());
}

TEST_CASE("a smaller case that goes wrong in a narrower interval is taken, and no wider one after it") {
    const triage::PassOrder order({"a", "b", "c"});
    const Drawn drawn = draw(19, 1).front();
    // For every other size the wrong pass is known more precisely.
    const auto half = [](const cases::Case& c) { return size_of(c).parts[Size::expressions] % 2; };
    const session::Judge judge = [&](const cases::Case& c) {
        verdict::Verdict verdict = test::finding(verdict::Class::wrong_lowering);
        if (!triage::features(c).contains(drawn.first)) { return test::finding(verdict::Class::agrees); }
        verdict.pass = a_pass(half(c) == half(drawn.c) ? "(source, c]" : "(a, b]");
        verdict.lowered = a_lowered("f(0) is 1i32, expected 2i32");
        return verdict;
    };
    const Minimised stuck = run(drawn.c, judge);
    CHECK(stuck.best.symptom.pass == a_pass("(source, c]"));
    Options options;
    options.shows = [&](const auto& found, const auto& sought) { return triage::still_shows(found, sought, order); };
    std::vector<std::string> passes;
    Listener listener;
    listener.better = [&](const Found& found) {
        passes.push_back(found.symptom.pass ? to_string(*found.symptom.pass) : "");
        return Result<void>();
    };
    const Minimised found = run(drawn.c, judge, options, listener);
    CHECK(found.best.symptom.pass == a_pass("(a, b]"));
    CHECK(std::ranges::is_sorted(passes, std::greater{}));
    CHECK(triage::symptom(found.best.c, judge(found.best.c)) == found.best.symptom);
    CHECK(same(run(found.best.c, judge, options), run(found.best.c, judge)));
    options.jobs = 2;
    CHECK(same(run(drawn.c, judge, options), found));
}

TEST_CASE("a smaller case whose lowered program can be run is taken, and none whose can not after it") {
    const Drawn drawn = draw(19, 1).front();
    const auto whole = size_of(drawn.c).parts[Size::expressions];
    // For every other size the program is too long to be interpreted.
    const session::Judge judge = [&](const cases::Case& c) {
        if (!triage::features(c).contains(drawn.first)) { return test::finding(verdict::Class::agrees); }
        const bool is_long = size_of(c).parts[Size::expressions] % 2 == whole % 2;
        verdict::Verdict verdict =
            test::finding(is_long ? verdict::Class::wrong_result : verdict::Class::wrong_lowering);
        verdict.lowered = a_lowered(is_long ? "not run: steps" : "f(0) is 1i32, expected 2i32");
        verdict.pass = a_pass(is_long ? "" : "(a, b]");
        return verdict;
    };
    std::vector<std::string> passes;
    Listener listener;
    listener.better = [&](const Found& found) {
        passes.push_back(found.symptom.pass ? to_string(*found.symptom.pass) : "");
        return Result<void>();
    };
    const Minimised found = run(drawn.c, judge, {}, listener);
    CHECK(found.best.symptom == a_symptom("wrong_lowering", "(a, b]", "value"));
    CHECK(std::ranges::is_sorted(passes));
    CHECK(passes.front().empty());
    Options options;
    options.jobs = 2;
    CHECK(same(run(drawn.c, judge, options), found));
    options.glance = judge;
    CHECK(run(drawn.c, judge, options).best.c == found.best.c);
}

TEST_CASE("a case without a finding is not minimised") {
    const cases::Case c = random::campaign_case(15, 0, {}, language);
    const auto result = minimize(c, [](const cases::Case&) { return test::finding(verdict::Class::agrees); }, {});
    REQUIRE(result.has_value());
    CHECK_FALSE(result->has_value());
}

TEST_CASE("a case that is no program of Halide is refused") {
    cases::Case c = random::campaign_case(15, 0, {}, language);
    // A pure definition must be on the whole domain.
    REQUIRE_FALSE(c.sare.tensors.empty());
    c.sare.stagings.clear();
    c.sare.tensors.front().equations.front().domain = sare::Condition{sare::Truth{false}};
    CHECK_FALSE(minimize(c, [](const cases::Case&) { return test::finding(verdict::Class::wrong_code); }, {}));
}

TEST_CASE("a candidate that kills its worker is one without the finding") {
    const Drawn drawn = draw(16, 1).front();
    const session::Judge judge = test::mentions(drawn.first, drawn.second);
    const pid_t parent = ::getpid();
    const Size start = size_of(drawn.c);
    // Crashes on every case with fewer tensors or directives.
    const session::Judge deadly = [&](const cases::Case& c) {
        const bool smaller = size_of(c).parts[Size::tensors] < start.parts[Size::tensors] ||
                             c.schedule.directives.size() < drawn.c.schedule.directives.size();
        if (smaller && ::getpid() != parent) { ::_exit(7); }
        return judge(c);
    };
    Options options;
    options.most_runs = 400;
    options.jobs = 3;
    const Minimised result = run(drawn.c, deadly, options);
    CHECK(size_of(result.best.c).parts[Size::tensors] == start.parts[Size::tensors]);
    CHECK(size_of(result.best.c) < start);
    options.jobs = 1;
    CHECK(same(run(drawn.c, deadly, options), result));
}

}  // namespace haruspex::minimize
