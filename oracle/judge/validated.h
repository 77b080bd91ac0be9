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

// Makes of the verdict that its proof is the validator's fault: it excludes `shown`, which is what `seen` tells, at the
// case's sizes or `where` ("at W = 3 ").
void accuse(verdict::Verdict& verdict, const verdict::Validation& proof, verdict::Class shown,
            const verdict::Verdict& seen, const std::string& where = "");

// Whether the program shows what that proof excludes: then the verdict says so. `lowered`: what the lowered program
// shows by itself (lowered.h, without a native run).
bool contradicts(verdict::Verdict& concrete, verdict::Class lowered, const verdict::Validation& proof);

// The same of a verdict with a proof for its sizes, and a run of the program on such inputs that shows it to be wrong.
// Where floats are real numbers in the proof, they are in inputs that are drawn, and need not be in a model's.
bool contradicts(verdict::Verdict& proved, const validator::Inputs& inputs, const validator::Trial& run);

// A proof that the interpreters contradict, in the validator's own words: an unsound validator. False without one.
bool contradicts_itself(verdict::Verdict& verdict, const validator::Verdict& validator);

// Without its proof.
verdict::Validation said(const validator::Verdict& validator);

verdict::Verdict with_validator(verdict::Verdict concrete, verdict::Class lowered, const validator::Verdict& validator);

// Whether the verdict at a case's sizes gives way to a refutation at others.
bool gives_way(verdict::Class cls);

// One that gives way, of a case of which `there` was seen elsewhere, "at W = 3": a refutation, or that the validator
// contradicts itself there.
verdict::Verdict refuted_elsewhere(verdict::Verdict concrete, const std::string& where, const verdict::Verdict& there);

// What was found where the proof does not help, with what `proved` says of the validator.
verdict::Verdict beside_proof(verdict::Verdict found, const verdict::Verdict& proved);

}  // namespace haruspex::judge
