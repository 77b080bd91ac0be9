#pragma once

#include "oracle/validator/validator.h"
#include "oracle/verdict/verdict.h"

// Combines the validator's verdict on the lowered program with the concrete one, from runs on the case's inputs:
//
//   validator              concrete                                         both
//   validated              wrong_lowering, latent_bug, introduced_overflow, unsound_validator
//                          or the lowered program refuses to run
//   refuted by an overflow agrees, not_compared, too_large                  introduced_overflow
//   refuted otherwise      agrees, not_compared, too_large,                 refuted_lowering
//                          introduced_overflow
//   otherwise              any                                              the concrete verdict
//
// A proof is about the lowered program alone, so only what the interpreted program shows can contradict it, whatever
// the compiled code does (it may crash because of the same error). A proof says that assertions hold; a proof for sizes
// that meet a condition does not, since the condition is what the program asserts beyond the assumptions. A proof for
// inputs whose partial sums fit does not say that nothing overflows.
//
// A refutation has been replayed in the interpreters, on inputs that need not be the case's. "By an overflow": the
// program's value is Undef, and nothing else is wrong.
//
// A refutation at other sizes replaces a verdict that says little about the program at its own sizes (agrees,
// not_compared, too_large, outside_context); every other verdict says more, and stays. The same holds for an error of
// the compiled code at other sizes if the lowered program is validated for all sizes.
namespace haruspex::judge {

// Whether the class is an error that the interpreted program shows.
bool is_wrong_lowering(verdict::Class cls);

// Whether the class is an error of the compiled code that the lowered program is not known to show.
bool is_native_finding(verdict::Class cls);

// Whether `proof` rules out `shown`.
bool excludes(const verdict::Validation& proof, verdict::Class shown);

// Reclassifies `verdict` as unsound_validator: `proof` rules out `shown`, but `seen` exhibits it.
void mark_unsound(verdict::Verdict& verdict, const verdict::Validation& proof, verdict::Class shown,
                  const verdict::Verdict& seen);

// Marks the verdict if the program shows what `proof` rules out, and returns whether it does. `lowered`: the class that
// the lowered program shows by itself (lowered.h, without a native run).
bool mark_if_contradicted(verdict::Verdict& concrete, verdict::Class lowered, const verdict::Validation& proof);

// The same for a verdict with a proof for its sizes, and a run on `inputs`. If floats are real numbers in the proof, a
// wrong value on inputs that a solver found does not count: unlike drawn inputs, they may make results round.
bool mark_if_contradicted(verdict::Verdict& proved, const validator::Inputs& inputs, const validator::Trial& run);

// Marks the verdict if the validator itself reports that the interpreters contradict its proof, and returns whether it
// does.
bool mark_if_self_contradictory(verdict::Verdict& verdict, const validator::Verdict& validator);

// Adds the validator's verdict for the case's sizes to the concrete one, by the table.
verdict::Verdict with_validator(verdict::Verdict concrete, verdict::Class lowered, const validator::Verdict& validator);

// Marks a verdict in which the solvers contradict each other as solver_contradiction, unless it is a finding or a fault of
// ours already: the queries are kept beside these.
void mark_if_solvers_disagree(verdict::Verdict& verdict, const smt::CrossChecks& checks);

// Whether a refutation at other sizes replaces a verdict of this class at the case's own.
bool is_replaceable(verdict::Class cls);

// Returns the verdict with the class, message and pass that follow from `there`, the verdict at other sizes `where`
// ("at W = 3"): unsound_validator if it is that, otherwise refuted_lowering.
verdict::Verdict refuted_elsewhere(verdict::Verdict concrete, const std::string& where, const verdict::Verdict& there);

// Adds the validator's answers in `proved` to a finding in the compiled code, which the proof does not cover.
verdict::Verdict beside_proof(verdict::Verdict found, const verdict::Verdict& proved);

}  // namespace haruspex::judge
