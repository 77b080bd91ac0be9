#pragma once

#include "oracle/validator/validator.h"
#include "oracle/verdict/verdict.h"

// The validator's verdict on the lowered program beside the concrete one:
//
//   validator              concrete                                         both
//   validated              wrong_lowering, latent_bug, introduced_overflow, unsound_validator
//                          or the lowered program refuses to run
//   refuted by a value     agrees, not_compared, too_large,                 refuted_lowering
//                          introduced_overflow
//   refuted by an overflow agrees, not_compared, too_large                  introduced_overflow
//   otherwise              any                                              stays
//
// A proof is held against the lowered program alone: what its interpretation shows counts whatever its compiled code
// does, which may crash for that very reason. A proof says that assertions hold, unless it is for sizes that meet a
// condition: that condition is what the program asserts beyond the assumptions.
//
// A refutation has been replayed in the interpreters, on inputs that need not be the case's. "By an overflow": the
// program's value is Undef, and nothing else is wrong.
//
// A refutation at other sizes replaces a verdict that says little of the program at its own sizes (agrees,
// not_compared, too_large, outside_context); every other verdict says more, and stays. The same holds for wrong code at
// other sizes whose lowered program is validated for all sizes.
namespace haruspex::judge {

// Whether the class is an error that the interpreted program shows.
bool is_wrong_lowering(verdict::Class cls);

// Whether the class is an error of the compiled code that the lowered program does not show, as far as is known.
bool is_native_finding(verdict::Class cls);

// Whether `proof` rules out `shown`.
bool excludes(const verdict::Validation& proof, verdict::Class shown);

// Reclassifies `verdict` as unsound_validator: `proof` rules out `shown`, but `seen` exhibits it, at the case's sizes
// or at `where` ("at W = 3 ").
void mark_unsound(verdict::Verdict& verdict, const verdict::Validation& proof, verdict::Class shown,
                  const verdict::Verdict& seen, const std::string& where = "");

// Marks the verdict if the program shows what `proof` rules out, and returns whether it does. `lowered`: the class that
// the lowered program shows by itself (lowered.h, without a native run).
bool mark_if_contradicted(verdict::Verdict& concrete, verdict::Class lowered, const verdict::Validation& proof);

// The same for a verdict with a proof for its sizes and a run on `inputs` that shows the program to be wrong. If floats
// are real numbers in the proof, drawn inputs are exact, but inputs of a model may round.
bool mark_if_contradicted(verdict::Verdict& proved, const validator::Inputs& inputs, const validator::Trial& run);

// Marks the verdict if the validator itself reports that the interpreters contradict its proof, and returns whether it
// does.
bool mark_if_self_contradictory(verdict::Verdict& verdict, const validator::Verdict& validator);

verdict::Verdict with_validator(verdict::Verdict concrete, verdict::Class lowered, const validator::Verdict& validator);

// Whether a refutation at other sizes replaces a verdict at the case's own.
bool is_replaceable(verdict::Class cls);

// Replaces a replaceable verdict by `there`, the verdict at other sizes `where` ("at W = 3"): a refutation, or a
// contradiction of the validator there.
verdict::Verdict refuted_elsewhere(verdict::Verdict concrete, const std::string& where, const verdict::Verdict& there);

// Adds the validator's answers in `proved` to a finding that the proof does not cover.
verdict::Verdict beside_proof(verdict::Verdict found, const verdict::Verdict& proved);

}  // namespace haruspex::judge
