#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "oracle/validator/validator.h"
#include "tests/support/catch.h"
#include "tests/support/litmus.h"

// The validator's verdict on every litmus program is the true one.
namespace haruspex::validator {
namespace {

using test::Litmus;

// Programs that the validator does not decide, with its reasons. A program that it decides must leave this list.
const std::map<std::string, std::string> not_decided{
    {"tile-fused-parallel", "product of indices"},
    {"tile-fused-parallel-by-height", "product of indices"},
    {"uninit-condition", "condition that depends on data"},
};

bool computes_floats(const Litmus& litmus) {
    return std::ranges::any_of(litmus.program.arrays,
                               [](const sched::Array& array) { return value::is_float(array.type); });
}

std::vector<Floats> arithmetics(const Litmus& litmus) {
    switch (litmus.floats) {
        case Litmus::Float::ieee: return {Floats::ieee};
        case Litmus::Float::real: return {Floats::real};
        case Litmus::Float::abstract: return {Floats::abstract};
        case Litmus::Float::strict: return {Floats::ieee, Floats::abstract};
        case Litmus::Float::any: break;
    }
    return computes_floats(litmus) ? std::vector{Floats::ieee, Floats::abstract, Floats::real}
                                   : std::vector{Floats::ieee};
}

Options options_for(const Litmus& litmus, Floats floats) {
    Options options;
    options.ladder.floats = floats;
    options.may_assume_sums_fit = litmus.sums_fit;
    return options;
}

Verdict verdict_of(const Litmus& litmus, Floats floats, bool explain = false) {
    Options options = options_for(litmus, floats);
    options.explain = explain;
    return validate(litmus.specification, litmus.program, options);
}

void check_refuted(const Litmus& litmus, const Verdict& verdict) {
    REQUIRE(verdict.outcome == Outcome::refuted);
    REQUIRE(verdict.obligation.has_value());
    INFO("the kind is " << name(*verdict.obligation));
    CHECK(std::ranges::count(litmus.reasons, name(*verdict.obligation)) == 1);
    REQUIRE(verdict.counterexample.has_value());
    const Counterexample& found = *verdict.counterexample;
    const Trial trial = replay(litmus.specification, litmus.program, found.sizes, found.inputs, Options{}.most_steps);
    CHECK(trial.ran);
    CHECK(trial.is_wrong);
    CHECK(to_string(trial) == found.message);
}

void check_validated(const Verdict& verdict) {
    CHECK(verdict.outcome == Outcome::validated);
    CHECK_FALSE(verdict.judgements.empty());
    for (const Judgement& judgement : verdict.judgements) {
        CHECK(judgement.holds());
        CHECK(judgement.rung.has_value());
    }
}

void check_verdict(const Litmus& litmus, const Verdict& verdict) {
    INFO(litmus.name << ": " << name(verdict.outcome) << ": " << reason(verdict));
    if (const auto expected = not_decided.find(litmus.name); expected != not_decided.end()) {
        CHECK(verdict.outcome == Outcome::unsupported);
        CHECK(reason(verdict).starts_with(expected->second));
        return;
    }
    switch (litmus.verdict) {
        case Litmus::Verdict::validated:
            check_validated(verdict);
            CHECK(verdict.needs_fitting_sums == litmus.sums_fit);
            break;
        case Litmus::Verdict::refuted: check_refuted(litmus, verdict); break;
        case Litmus::Verdict::undecided:
            CHECK(verdict.outcome == Outcome::undecided);
            CHECK((verdict.obligation == Kind::vacuous) == (litmus.reasons.front() == "vacuous"));
            break;
    }
    CHECK(verdict.counterexample.has_value() == (verdict.outcome == Outcome::refuted));
    CHECK(verdict.cross_checks.contradictions.empty());
}

TEST_CASE("the verdict of every litmus program is the one in its file") {
    std::size_t decided = 0, listed = 0;
    for (const std::filesystem::path& path : test::litmus_files()) {
        const auto litmus = test::read_litmus(path);
        if (!litmus) { FAIL(to_string(litmus.error())); }
        for (const Floats floats : arithmetics(*litmus)) { check_verdict(*litmus, verdict_of(*litmus, floats)); }
        ++(not_decided.contains(litmus->name) ? listed : decided);
    }
    CHECK(decided >= 120);
    CHECK(listed == not_decided.size());
}

TEST_CASE("what is validated does not hang on what was run before") {
    for (const std::filesystem::path& path : test::litmus_files()) {
        const auto litmus = test::read_litmus(path);
        if (!litmus) { FAIL(to_string(litmus.error())); }
        for (const Floats floats : arithmetics(*litmus)) {
            Options options = options_for(*litmus, floats);
            options.probes = false;
            const Verdict verdict = validate(litmus->specification, litmus->program, options);
            INFO(litmus->name << ": " << name(verdict.outcome) << ": " << reason(verdict));
            const bool is_right = litmus->verdict == Litmus::Verdict::validated && !not_decided.contains(litmus->name);
            CHECK((verdict.outcome == Outcome::validated) == is_right);
        }
    }
}

TEST_CASE("what holds as long as no partial sum overflows is not proved without that") {
    std::size_t right = 0;
    for (const std::filesystem::path& path : test::litmus_files()) {
        const auto litmus = test::read_litmus(path);
        if (!litmus) { FAIL(to_string(litmus.error())); }
        if (!litmus->sums_fit || litmus->verdict != Litmus::Verdict::validated) { continue; }
        ++right;
        for (const bool probes : {false, true}) {
            Options options;
            options.probes = probes;
            const Verdict verdict = validate(litmus->specification, litmus->program, options);
            INFO(litmus->name << ": " << name(verdict.outcome) << ": " << reason(verdict));
            CHECK((verdict.outcome == Outcome::undecided || verdict.outcome == Outcome::refuted ||
                   verdict.outcome == Outcome::unsupported));
            CHECK((verdict.is_kept_by_overflow || verdict.counterexample));
        }
    }
    CHECK(right >= 6);
}

TEST_CASE("a litmus program has the same verdict and the same explanation on every run") {
    const auto files = test::litmus_files();
    for (std::size_t i = 0; i < files.size(); i += 9) {
        const auto litmus = test::read_litmus(files[i]);
        if (!litmus) { FAIL(to_string(litmus.error())); }
        INFO(litmus->name);
        const Floats floats = arithmetics(*litmus).front();
        CHECK(explain(verdict_of(*litmus, floats, true)) == explain(verdict_of(*litmus, floats, true)));
    }
}

}  // namespace
}  // namespace haruspex::validator
