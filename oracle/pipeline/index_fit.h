#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "generators/base/sizes.h"
#include "generators/random/regions.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/verdict/verdict.h"

// Whether a program's indices fit the machine's integers (thesis 9.5). In SCHED, and in a proof for all sizes, indices
// are mathematical integers; compilers compute them in 32 bits, where an overflow is undefined.
//
// Every index must fit, and so must each operation that computes it:
//   in subscripts, conditions, bounds of loops (including the index at which a loop ends) and lets;
//   for memory with several indices, the extents, minima, ends and the number of cells;
//   in values that are made of indices.
// If an index or a condition is made of a 32-bit value that is computed from indices alone (conversion/denoted.h), that
// value must fit, too; a 64-bit value must fit in 64 bits. Other values and prophecies are not examined. The analysis
// uses intervals.
namespace haruspex::pipeline {

// Whether the indices fit for all values of the parameters in their intervals. Also false if intervals cannot tell.
// Every parameter of the program has an interval (ENSURE).
bool indices_fit(const sched::Program& program, const random::Intervals& parameters, int bits = 32);

// The greatest power of two, at most conversion::most_size, such that the indices fit if no size is greater. nullopt if
// there is none, or if the assertions about the buffers are not understood. Assumes that
//   a parameter of the specification is at most the size; its least value is 1 or 0 if the specification implies one
//   of them, otherwise -size;
//   an output has the minima and extents of the requested box;
//   an input has exactly the cells that it is asserted to have (oracle/conversion), so an input read at 4*x is
//   four times as long as a size;
//   and all rows are dense: a stride is the product of the preceding extents.
// If the program has no parameters but the specification's, nothing is assumed about its buffers.
std::optional<std::int64_t> largest_fitting_size(const sare::Sare& specification, const sched::Program& program,
                                                 int bits = 32);

// The fit for all sizes that the specification allows, up to the greatest that fits.
verdict::IndexFit index_fit(const sare::Sare& specification, const sched::Program& program);
// The fit for one value of each parameter.
verdict::IndexFit index_fit(const sched::Program& program, const Sizes& parameters);

}  // namespace haruspex::pipeline
