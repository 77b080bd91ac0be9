#pragma once

#include "generators/base/feature.h"
#include "generators/case/case.h"
#include "harness/sched/syntax.h"

// Prophecies of a program under rfactor: they refer to the specification that rfactor leaves
// (generators/schedule/halide/factoring.h).
namespace haruspex::pipeline {

// The case's SARE after its rfactor directives, with every inline reduction turned into a tensor
// (generators/sare/outline.h). A Feature of kind "rfactor" if the directives break rfactor's rules.
[[nodiscard]] Supported<sare::Sare> prophesied_specification(const cases::Case& c);

// The same, if every program that computes it is shown to compute the case's SARE (oracle/conversion); otherwise the
// obstacle. Floats are real numbers unless the case is strict about them.
[[nodiscard]] Supported<sare::Sare> implied_specification(const cases::Case& c);

// Removes the prophecies of updates that merge partial results: they do not refer to the case's own SARE.
sched::Program without_merged(sched::Program program, const schedule::Schedule& schedule);

}  // namespace haruspex::pipeline
