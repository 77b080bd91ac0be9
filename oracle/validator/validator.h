#pragma once

#include <string>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/validator/options.h"
#include "oracle/validator/verdict.h"

// Translation validation: whether a SCHED program with prophecies implements a SARE, for all sizes that the SARE's
// assumptions allow (or for some of them only: Options) and all inputs (thesis chapter 5). Prophecies are not trusted:
// a wrong one may lose a proof, and never makes one.
namespace haruspex::validator {

// The claim is refinement. Where the specification is Undef, the program may leave any value, but it must leave one,
// and iterations and lanes must not race for it (interference.h). Nothing is claimed for sizes at which an output's box
// has a negative extent. Indices are integers without bounds; up to which sizes a machine's integers agree with them is
// a separate question (pipeline/index_fit.h).
//
// Preconditions (ENSURE, as far as they can be checked): the specification and the program are well-formed, the program
// is well-typed by the extended rules, and it fits the specification. The same arguments give the same verdict with the
// same versions of isl and Z3.
Verdict validate(const sare::Sare& sare, const sched::Program& program, const Options& options = {});

// Prints the verdict for people: its obligations, what decided each of them, and the derivation if the verdict has
// steps.
std::string explain(const Verdict& verdict);

}  // namespace haruspex::validator
