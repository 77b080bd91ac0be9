#pragma once

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/halide/program.h"

// Builds a Halide pipeline from a case.
//
//   parameter            Param<int> of its name, set to the case's size
//   input                ImageParam of its name; a rank-0 input is a rank-0 ImageParam, which takes part in the bounds
//                        query like any other
//   inline reduction     a function of its own (generators/sare/outline.h)
//   function             Func of its name; variables are Vars of their names; several components make a Tuple
//   n-th update of A     its recurrence variables are one RDom named A_u<n> in their order, the filter is its where()
//   schedule             one Halide call for each directive, in order (schedule_calls.h)
//   outputs              one Pipeline over all of them
namespace haruspex::halide {

// Fails if the case is not staged or Halide cannot express it. If Halide refuses it, Halide throws (Halide::Error).
[[nodiscard]] Result<Program> build_program(const cases::Case& c);

}  // namespace haruspex::halide
