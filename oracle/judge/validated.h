#pragma once

#include "oracle/validator/validator.h"
#include "oracle/verdict/verdict.h"

// The validator's verdict on the lowered program beside the concrete one:
//
//   validator              concrete                                         both
//   validated              wrong_lowering, latent_bug, introduced_overflow, unsound_validator
//                          and that the lowered program refuses to run
//   refuted by a value     agrees, not_compared, too_large,                 refuted_lowering
//                          introduced_overflow
//   refuted by an overflow agrees, not_compared, too_large                  introduced_overflow
//   otherwise              any                                              stays
//
// What is validated is looked at alone: what the lowered program shows when it is interpreted counts whatever its
// compiled code does, which may crash for that very reason. A proof says that assertions hold, unless it is one for
// sizes that meet a condition: what is asserted beyond the assumptions is that condition.
//
// A refutation has been replayed in the interpreters, on inputs that need not be the case's. "By an overflow": the
// program's value is Undef, and nothing else is wrong.
//
// A lowered program that is wrong at other sizes is refuted where nothing is known of it at its own (agrees,
// not_compared, too_large, outside_context); every other verdict tells more, and stays. So is code that is wrong at
// other sizes, of a lowered program that is validated for all.
namespace haruspex::judge {

// Of what the program shows when it is interpreted.
bool is_wrong_lowering(verdict::Class cls);

// Of what the compiled code shows, and what was lowered does not, as far as that is known.
bool is_native_finding(verdict::Class cls);

// Whether a program of which that was proved does not show this.
bool excludes(const verdict::Validation& proof, verdict::Class shown);

// Turns the verdict into one against its proof: that excludes `shown`, which is what `seen` tells, at the case's sizes
// or `where` ("at W = 3 ").
void mark_unsound(verdict::Verdict& verdict, const verdict::Validation& proof, verdict::Class shown,
                  const verdict::Verdict& seen, const std::string& where = "");

// Marks the verdict when the program shows what that proof excludes, and returns whether it does. `lowered`: what the
// lowered program shows by itself (lowered.h, without a native run).
bool mark_if_contradicted(verdict::Verdict& concrete, verdict::Class lowered, const verdict::Validation& proof);

// The same of a verdict with a proof for its sizes, and a run of the program on such inputs that shows it to be wrong.
// Where floats are real numbers in the proof, they are in inputs that are drawn, and need not be in a model's.
bool mark_if_contradicted(verdict::Verdict& proved, const validator::Inputs& inputs, const validator::Trial& run);

// Marks the verdict when the validator itself says that the interpreters contradict its proof, and returns whether it
// does.
bool mark_if_self_contradictory(verdict::Verdict& verdict, const validator::Verdict& validator);

verdict::Verdict with_validator(verdict::Verdict concrete, verdict::Class lowered, const validator::Verdict& validator);

// Whether a refutation at other sizes replaces a verdict at the case's own.
bool is_replaceable(verdict::Class cls);

// One that is replaceable, of a case of which `there` was seen elsewhere, "at W = 3": a refutation, or that the
// validator contradicts itself there.
verdict::Verdict refuted_elsewhere(verdict::Verdict concrete, const std::string& where, const verdict::Verdict& there);

// What was found where the proof does not help, with what `proved` says of the validator.
verdict::Verdict beside_proof(verdict::Verdict found, const verdict::Verdict& proved);

}  // namespace haruspex::judge
