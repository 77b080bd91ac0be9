#pragma once

#include "generators/schedule/halide/directive.h"
#include "reports/minimize/draft.h"
#include "reports/minimize/pass.h"

// The passes over Halide's schedules; each function proposes as Pass says.
namespace haruspex::minimize::halide {

// Returns the draft with this schedule in place of its own.
Draft with_schedule(Draft draft, schedule::halide::Schedule schedule);

// directives.cpp
void join_loops(const Draft& draft, const Propose& propose);
void drop_specializations(const Draft& draft, const Propose& propose);
void simplify_directives(const Draft& draft, const Propose& propose);
// guards.cpp
void split_plainly(const Draft& draft, const Propose& propose);
// factors.cpp
void write_out_factors(const Draft& draft, const Propose& propose);

// Returns all passes for Halide's cases, in the order in which they are tried.
std::span<const Pass> passes();

}  // namespace haruspex::minimize::halide
