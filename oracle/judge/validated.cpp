#include "oracle/judge/validated.h"

#include <fmt/core.h>

namespace haruspex::judge {
namespace {

using verdict::Class;
using verdict::Outcome;

std::string where(const validator::Inputs& inputs) {
    return fmt::format("{} inputs of seed {}{}", name(inputs.style), inputs.seed,
                       inputs.given.empty() ? "" : " with cells of a model");
}

}  // namespace

bool is_wrong_lowering(Class cls) {
    return cls == Class::wrong_lowering || cls == Class::latent_bug || cls == Class::introduced_overflow;
}

bool is_native_finding(Class cls) {
    return cls == Class::wrong_result || cls == Class::wrong_code || cls == Class::program_crash ||
           cls == Class::program_hang || cls == Class::program_out_of_memory || cls == Class::stray_write ||
           cls == Class::nondeterminism;
}

bool excludes(const verdict::Validation& proof, Class shown) {
    if (shown == Class::introduced_overflow && proof.needs_fitting_sums) { return false; }
    return is_wrong_lowering(shown) || (shown == Class::over_rejection && !proof.premise);
}

void mark_unsound(verdict::Verdict& verdict, const verdict::Validation& proof, Class shown,
                  const verdict::Verdict& seen) {
    const std::string words = shown == seen.cls ? seen.message : seen.lowered ? to_string(*seen.lowered) : "";
    verdict.message = fmt::format("{}, but {}: {}", to_string(proof), name(shown), words);
    verdict.cls = Class::unsound_validator;
}

bool mark_if_contradicted(verdict::Verdict& concrete, Class lowered, const verdict::Validation& proof) {
    if (!excludes(proof, lowered)) { return false; }
    mark_unsound(concrete, proof, lowered, concrete);
    return true;
}

bool mark_if_contradicted(verdict::Verdict& proved, const validator::Inputs& inputs, const validator::Trial& run) {
    const verdict::Validation& proof = *proved.own_sizes;
    const bool may_round = proof.floats == verdict::Floats::real && !inputs.given.empty();
    if (!run.is_wrong || (may_round && !run.trouble)) { return false; }
    verdict::Verdict seen;
    seen.cls = Class::refuted_lowering;
    seen.message = "on " + where(inputs) + ": " + to_string(run);
    mark_unsound(proved, proof, seen.cls, seen);
    return true;
}

bool mark_if_self_contradictory(verdict::Verdict& verdict, const validator::Verdict& validator) {
    if (!validator.contradiction) { return false; }
    verdict::Verdict seen;
    seen.cls = Class::refuted_lowering;
    seen.message = *validator.contradiction;
    verdict::Validation proof = verdict::proved(true);
    proof.floats = validator.floats;
    mark_unsound(verdict, proof, seen.cls, seen);
    return true;
}

void mark_if_solvers_disagree(verdict::Verdict& verdict, const smt::CrossChecks& checks) {
    if (checks.contradictions.empty() || verdict::is_finding(verdict.cls) || verdict::is_own_fault(verdict.cls)) {
        return;
    }
    verdict.cls = Class::solver_contradiction;
    verdict.message = to_string(checks.contradictions.front());
}

bool is_replaceable(Class cls) {
    return cls == Class::agrees || cls == Class::not_compared || cls == Class::too_large ||
           cls == Class::outside_context;
}

verdict::Verdict refuted_elsewhere(verdict::Verdict concrete, const std::string& where, const verdict::Verdict& there) {
    const bool is_contradiction = there.cls == Class::unsound_validator;
    concrete.cls = is_contradiction ? there.cls : Class::refuted_lowering;
    concrete.message = where + ": " + there.message;
    concrete.phase.clear();
    concrete.pass = there.pass;
    return concrete;
}

verdict::Verdict beside_proof(verdict::Verdict found, const verdict::Verdict& proved) {
    found.own_sizes = proved.own_sizes;
    found.all_sizes = proved.all_sizes;
    found.indices = proved.indices;
    return found;
}

verdict::Verdict with_validator(verdict::Verdict concrete, Class lowered, const validator::Verdict& validator) {
    concrete.own_sizes = validator;
    if (validator.outcome == Outcome::validated) { mark_if_contradicted(concrete, lowered, *concrete.own_sizes); }
    if (validator.outcome != Outcome::refuted) { return concrete; }
    const bool is_right_so_far =
        concrete.cls == Class::agrees || concrete.cls == Class::not_compared || concrete.cls == Class::too_large;
    const bool overflows = validator.counterexample->is_undef;
    if (is_right_so_far || (concrete.cls == Class::introduced_overflow && !overflows)) {
        concrete.cls = overflows ? Class::introduced_overflow : Class::refuted_lowering;
        concrete.message = "on " + where(validator.counterexample->inputs) + ": " + validator.counterexample->message;
    }
    return concrete;
}

}  // namespace haruspex::judge
