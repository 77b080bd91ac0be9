#pragma once

#include "generators/base/result.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/equivalence/verdict.h"

// Shows that two static affine programs compute the same outputs, for all sizes and inputs, without annotations
// (Verdoolaege, Janssens and Bruynooghe, CAV 2009 and TOPLAS 2012). README.md has the rules and the argument for their
// soundness. The checker is the rival of oracle/validator and shares no rules with it.
namespace haruspex::equivalence {

// Checks that the program computes the outputs that the SARE requests, for all values of its parameters within the
// assumptions and at which no output's box has a negative extent, and for all inputs for which it is defined. The SARE
// is well-formed, the program is well-typed, and it fits the SARE (validator::check_interface). The same arguments give
// the same verdict with the same version of isl.
Verdict check(const sare::Sare& sare, const sched::Program& program, const Options& options = {});

// The same for two programs: the first is the specification, and requests every cell of its outputs. The programs fit
// each other (fits). `assumptions` may restrict the parameters. Prophecies are ignored.
Verdict check(const sched::Program& first, const sched::Program& second,
              const sare::Condition& assumptions = {sare::Truth{true}}, const Options& options = {});

// Whether two programs can be compared. An Error if they have different parameters, if the second has an array for a
// tensor for which the first has none, or one of another role, type or rank, or if the second has no array for an
// output of the first.
[[nodiscard]] Result<void> fits(const sched::Program& first, const sched::Program& second);

}  // namespace haruspex::equivalence
