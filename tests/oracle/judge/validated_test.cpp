#include "oracle/judge/validated.h"

#include "tests/support/catch.h"
#include "tests/support/verdicts.h"

namespace haruspex::judge {
namespace {

using validator::Outcome;
using verdict::Class;

validator::Verdict said(Outcome outcome, bool is_undef = false) {
    validator::Verdict verdict(outcome == Outcome::validated
                                   ? verdict::proved(false)
                                   : verdict::obstructed(outcome, validator::Kind::value, "so"));
    if (outcome == Outcome::refuted) {
        verdict.counterexample = validator::Counterexample{
            {}, {validator::Inputs::Style::extreme, 2, {}}, is_undef, "A(4) is 7i32, expected 2i32"};
    }
    return verdict;
}

verdict::Verdict both(Class concrete, const validator::Verdict& validator) {
    verdict::Verdict verdict;
    verdict.cls = concrete;
    verdict.message = "seen";
    return with_validator(verdict, concrete, validator);
}

}  // namespace

TEST_CASE("a proof of what is wrong is the validator's fault, and of nothing else") {
    for (const Class cls :
         {Class::wrong_lowering, Class::latent_bug, Class::introduced_overflow, Class::over_rejection}) {
        const verdict::Verdict verdict = both(cls, said(Outcome::validated));
        CHECK(verdict.cls == Class::unsound_validator);
        CHECK(verdict.message == "validated for the given sizes, but " + std::string(name(cls)) + ": seen");
    }
    for (const Class cls :
         {Class::agrees, Class::wrong_code, Class::compiler_crash, Class::nondeterminism, Class::translation_fault}) {
        CHECK(both(cls, said(Outcome::validated)).cls == cls);
        CHECK(both(cls, said(Outcome::validated)).message == "seen");
    }
    CHECK(to_string(both(Class::agrees, said(Outcome::validated)).own_sizes.value()) ==
          "validated for the given sizes");
}

TEST_CASE("a proof contradicts what is wrong when it is interpreted, and nothing else") {
    verdict::Verdict wrong = both(Class::wrong_lowering, said(Outcome::undecided));
    const verdict::Validation proof = verdict::proved(true);
    CHECK(mark_if_contradicted(wrong, wrong.cls, proof));
    CHECK(wrong.cls == Class::unsound_validator);
    CHECK(wrong.message == "validated for all sizes, but wrong_lowering: seen");
    verdict::Verdict right = both(Class::agrees, said(Outcome::undecided));
    CHECK_FALSE(mark_if_contradicted(right, right.cls, proof));
    CHECK(right.cls == Class::agrees);
}

TEST_CASE("a proof for sums that fit excludes whatever is wrong but an overflow") {
    verdict::Validation proof = verdict::proved(true);
    CHECK(excludes(proof, Class::introduced_overflow));
    proof.needs_fitting_sums = true;
    CHECK_FALSE(excludes(proof, Class::introduced_overflow));
    for (const Class cls : {Class::wrong_lowering, Class::latent_bug, Class::over_rejection}) {
        CHECK(excludes(proof, cls));
    }
}

TEST_CASE("a proof excludes that the lowered program refuses to run, unless it has a condition") {
    verdict::Validation condition = verdict::proved(true);
    condition.premise = "4 <= W";
    verdict::Verdict refused = both(Class::over_rejection, said(Outcome::undecided));
    CHECK_FALSE(mark_if_contradicted(refused, Class::over_rejection, condition));
    CHECK(refused.cls == Class::over_rejection);
    CHECK(mark_if_contradicted(refused, Class::wrong_lowering, condition));
    // An excuse does not invalidate the proof.
    refused.cls = Class::outside_context;
    refused.lowered = a_lowered("fails");
    CHECK(mark_if_contradicted(refused, Class::over_rejection, verdict::proved(true)));
    CHECK(refused.message == "validated for all sizes, but over_rejection: fails");
    // The proof does not cover compiled code that refuses to run although the interpreted program runs.
    verdict::Verdict native = both(Class::over_rejection, said(Outcome::undecided));
    CHECK_FALSE(mark_if_contradicted(native, Class::agrees, verdict::proved(true)));
}

TEST_CASE("a proof contradicts what is wrong when it is interpreted, whatever its compiled code does") {
    for (const Class cls : {Class::program_crash, Class::stray_write, Class::nondeterminism, Class::compiler_crash}) {
        verdict::Verdict verdict;
        verdict.cls = cls;
        verdict.message = "died";
        verdict.lowered = a_lowered("out of bounds");
        const verdict::Verdict both = with_validator(verdict, Class::latent_bug, said(Outcome::validated));
        CHECK(both.cls == Class::unsound_validator);
        CHECK(both.message == "validated for the given sizes, but latent_bug: out of bounds");
        CHECK(with_validator(verdict, Class::latent_bug, said(Outcome::refuted)).cls == cls);
        CHECK(with_validator(verdict, Class::agrees, said(Outcome::validated)).cls == cls);
    }
}

TEST_CASE("what compiled code shows alone is a finding beside a proof") {
    for (const Class cls : {Class::wrong_result, Class::wrong_code, Class::program_crash, Class::program_hang,
                            Class::program_out_of_memory, Class::stray_write, Class::nondeterminism}) {
        CHECK(is_native_finding(cls));
        CHECK_FALSE(is_wrong_lowering(cls));
    }
    for (const Class cls : {Class::agrees, Class::wrong_lowering, Class::over_rejection, Class::compiler_crash,
                            Class::outside_context, Class::too_large, Class::bad_case}) {
        CHECK_FALSE(is_native_finding(cls));
    }
    verdict::Verdict proved = both(Class::agrees, said(Outcome::validated));
    proved.all_sizes = verdict::proved(true);
    proved.indices = verdict::IndexFit{true, true};
    verdict::Verdict found;
    found.cls = Class::program_crash;
    found.message = "died";
    const verdict::Verdict beside = beside_proof(found, proved);
    CHECK(beside.cls == Class::program_crash);
    CHECK(beside.message == "died");
    CHECK(beside.own_sizes == proved.own_sizes);
    CHECK(beside.all_sizes == proved.all_sizes);
    CHECK(beside.indices == proved.indices);
}

TEST_CASE("a refutation on other inputs is a finding of its own; an overflow is kept apart") {
    const verdict::Verdict found = both(Class::agrees, said(Outcome::refuted));
    CHECK(found.cls == Class::refuted_lowering);
    CHECK(found.message == "on extreme inputs of seed 2: A(4) is 7i32, expected 2i32");
    CHECK(both(Class::not_compared, said(Outcome::refuted)).cls == Class::refuted_lowering);
    CHECK(both(Class::too_large, said(Outcome::refuted)).cls == Class::refuted_lowering);
    CHECK(both(Class::introduced_overflow, said(Outcome::refuted)).cls == Class::refuted_lowering);
    CHECK(both(Class::agrees, said(Outcome::refuted, true)).cls == Class::introduced_overflow);
    CHECK(both(Class::introduced_overflow, said(Outcome::refuted, true)).message == "seen");
    for (const Class cls : {Class::wrong_lowering, Class::wrong_code, Class::compiler_crash}) {
        CHECK(both(cls, said(Outcome::refuted)).cls == cls);
    }
}

TEST_CASE("what is found at a case's sizes is not replaced by what is wrong at others") {
    for (const Class cls : {Class::agrees, Class::not_compared, Class::too_large, Class::outside_context}) {
        CHECK(is_replaceable(cls));
    }
    for (const Class cls : {Class::wrong_result,
                            Class::wrong_lowering,
                            Class::wrong_code,
                            Class::latent_bug,
                            Class::refuted_lowering,
                            Class::introduced_overflow,
                            Class::over_rejection,
                            Class::compiler_crash,
                            Class::compiler_internal_error,
                            Class::compiler_hang,
                            Class::compiler_out_of_memory,
                            Class::program_crash,
                            Class::program_hang,
                            Class::program_out_of_memory,
                            Class::stray_write,
                            Class::nondeterminism,
                            Class::bad_case,
                            Class::translation_fault,
                            Class::unsound_validator,
                            Class::harness_failure}) {
        CHECK_FALSE(is_replaceable(cls));
    }
    verdict::Verdict refused;
    refused.cls = Class::outside_context;
    refused.message = "too small";
    refused.phase = "first run";
    refused.lowered = a_lowered("assertion_failed: so");
    verdict::Verdict there;
    there.cls = Class::wrong_lowering;
    there.message = "f(8) is 1";
    there.pass = a_pass("(a, b]");
    const verdict::Verdict found = refuted_elsewhere(refused, "at W = 9", there);
    CHECK(found.cls == Class::refuted_lowering);
    CHECK(found.message == "at W = 9: f(8) is 1");
    CHECK(found.phase.empty());
    CHECK(found.pass == there.pass);
    CHECK(found.lowered == refused.lowered);
}

TEST_CASE("a proof for some sizes is held against a run that refutes the program there") {
    validator::Trial run;
    run.ran = run.is_wrong = true;
    run.message = "A(4) is 7i32, expected 2i32";
    const validator::Inputs drawn{validator::Inputs::Style::wide, 2, {}};
    verdict::Verdict proved = both(Class::agrees, said(Outcome::validated));
    CHECK(mark_if_contradicted(proved, drawn, run));
    CHECK(proved.cls == Class::unsound_validator);
    const std::string message =
        "validated for the given sizes, but refuted_lowering: on wide inputs of seed 2: A(4) is 7i32, expected 2i32";
    CHECK(proved.message == message);
    // The contradiction also counts at other sizes.
    verdict::Verdict crashed;
    crashed.cls = Class::program_crash;
    const verdict::Verdict found = refuted_elsewhere(crashed, "at W = 9", proved);
    CHECK(found.cls == Class::unsound_validator);
    CHECK(found.message == "at W = 9: " + message);

    run.is_wrong = false;
    proved = both(Class::agrees, said(Outcome::validated));
    CHECK_FALSE(mark_if_contradicted(proved, drawn, run));
    CHECK(proved.cls == Class::agrees);
}

TEST_CASE("a model of real numbers is no run of floats that a proof of real numbers excludes") {
    validator::Verdict about_reals = said(Outcome::validated);
    about_reals.floats = verdict::Floats::real;
    validator::Trial run;
    run.ran = run.is_wrong = true;
    const validator::Inputs model{validator::Inputs::Style::small, 1, {{"in", 0, {0}, value::Value::f32(0.1F)}}};
    verdict::Verdict proved = both(Class::agrees, about_reals);
    CHECK_FALSE(mark_if_contradicted(proved, model, run));
    CHECK(mark_if_contradicted(proved, {validator::Inputs::Style::small, 1, {}}, run));
    proved = both(Class::agrees, about_reals);
    run.trouble = interp::TroubleKind::out_of_bounds_read;
    CHECK(mark_if_contradicted(proved, model, run));
}

TEST_CASE("what is not decided changes nothing") {
    for (const Outcome outcome : {Outcome::undecided, Outcome::unsupported}) {
        const verdict::Verdict verdict = both(Class::latent_bug, said(outcome));
        CHECK(verdict.cls == Class::latent_bug);
        CHECK(to_string(verdict.own_sizes.value()) == std::string(name(outcome)) + ": value: so");
    }
}

}  // namespace haruspex::judge
