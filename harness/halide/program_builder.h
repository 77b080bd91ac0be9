#pragma once

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/halide/program.h"

// Builds a Halide pipeline from a case.
//
//   parameter            a Param<int> of the same name, set to the case's size
//   input                an ImageParam of the same name; one of rank 0 takes part in the bounds query like any other
//   inline reduction     a function of its own (generators/sare/outline.h)
//   function             a Func of the same name; variables are Vars of the same names; several components make a Tuple
//   n-th update of A     an update; its recurrence variables, in their order, are one RDom named A_u<n>, and its filter
//                        is the where() of that RDom
//   schedule             one Halide call for each directive, in order (schedule_calls.h)
//   outputs              one Pipeline over all of them
namespace haruspex::halide {

// Fails if the case's SARE is not a staged algorithm, or if Halide cannot express it. If Halide refuses the program or
// its schedule, Halide throws (Halide::Error).
[[nodiscard]] Result<Program> build_program(const cases::Case& c);

}  // namespace haruspex::halide
