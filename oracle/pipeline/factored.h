#pragma once

#include "generators/base/feature.h"
#include "generators/case/case.h"
#include "harness/sched/syntax.h"

// Prophecies of a program under rfactor: they speak of what that leaves of the specification
// (generators/schedule/halide/factoring.h).
namespace haruspex::pipeline {

// The case's SARE, in which every inline reduction has become a tensor (generators/sare/outline.h), as its rfactor
// directives leave it. A Feature, of the kind "rfactor", when they break what rfactor asks.
[[nodiscard]] Supported<sare::Sare> prophesied_specification(const cases::Case& c);

// The same, where it is shown that a program that computes it computes the case's SARE (oracle/conversion); or why not.
// Floats are real numbers unless the case is strict about them.
[[nodiscard]] Supported<sare::Sare> implied_specification(const cases::Case& c);

// The program without the prophecies that are not of the case's own SARE, but of an update that merges partial results.
sched::Program without_merged(sched::Program program, const schedule::Schedule& schedule);

}  // namespace haruspex::pipeline
