#pragma once

#include "oracle/validator/validator.h"
#include "oracle/verdict/verdict.h"

// The validator's verdict on the lowered program beside the concrete one (second table of DESIGN section 6):
//
//   validator              concrete                                         both
//   validated              wrong_lowering, latent_bug, introduced_overflow  unsound_validator
//   refuted by a value     agrees, not_compared, introduced_overflow        refuted_lowering
//   refuted by an overflow agrees, not_compared                             introduced_overflow
//   otherwise              any                                              stays
//
// A refutation has been replayed in the interpreters, on inputs that need not be the case's. "By an overflow": the
// program's value is Undef, and nothing else is wrong.
namespace haruspex::judge {

// Of what the program shows when it is interpreted.
bool is_wrong_lowering(verdict::Class cls);

// Whether the program is wrong of which that was proved: then the verdict says so.
bool contradicts(verdict::Verdict& concrete, const std::string& proof);

verdict::Verdict with_validator(verdict::Verdict concrete, const validator::Verdict& validator);

// "validated for the given sizes", "refuted: value: …", "undecided: …": one line.
std::string describe(const validator::Verdict& validator);

}  // namespace haruspex::judge
