#pragma once

#include "generators/base/feature.h"
#include "generators/case/case.h"
#include "harness/sched/syntax.h"

// Prophecies of a program whose schedule cuts updates in two: they refer to the specification that this leaves
// (generators/schedule/factoring.h).
namespace haruspex::pipeline {

// The kind of Feature of an update that is cut in a way that cannot be followed.
inline constexpr const char* factoring_kind = "factoring";

// The case's SARE after its updates are cut, with every inline reduction turned into a tensor
// (generators/sare/outline.h). A Feature of factoring_kind if the directives cannot be followed.
[[nodiscard]] Supported<sare::Sare> prophesied_specification(const cases::Case& c);

// The same, if every program that computes it is shown to compute the case's SARE (oracle/conversion); otherwise the
// obstacle. Floats are real numbers unless the case is strict about them.
[[nodiscard]] Supported<sare::Sare> implied_specification(const cases::Case& c);

// Removes the prophecies of updates that merge partial results: they do not refer to the case's own SARE.
sched::Program without_merged(sched::Program program, const cases::Case& c);

}  // namespace haruspex::pipeline
