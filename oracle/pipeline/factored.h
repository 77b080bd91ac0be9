#pragma once

#include "generators/base/feature.h"
#include "generators/case/case.h"
#include "harness/sched/syntax.h"

// The specification to which prophecies refer if the schedule cuts updates in two (generators/schedule/factoring.h).
namespace haruspex::pipeline {

// The kind of the Feature that says why it cannot be determined how the schedule cuts an update.
inline constexpr const char* factoring_kind = "factoring";

// The case's SARE after its updates are cut, with every inline reduction turned into a tensor
// (generators/sare/outline.h). A Feature of factoring_kind if the directives cannot be followed.
[[nodiscard]] Supported<sare::Sare> prophesied_specification(const cases::Case& c);

struct Implied {
    sare::Sare sare;
    bool needs_fitting_sums = false;  // as conversion::Same does
};

// The same SARE, if it is shown that every program that computes it also computes the case's SARE (is_same in
// oracle/conversion/reassociation.h); otherwise the obstacle. Floats are real numbers unless the case has
// strict_float.
[[nodiscard]] Supported<Implied> implied_specification(const cases::Case& c);

// Removes prophecies that name an update that merges partial results: they do not refer to the case's own SARE.
sched::Program without_merged(sched::Program program, const cases::Case& c);

}  // namespace haruspex::pipeline
