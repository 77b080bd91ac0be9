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

// Whether a program's indices fit the machine's integers (thesis 9.5). In SCHED they are mathematical integers, and a
// proof for all sizes is about those; compilers compute them in 32 bits, where an overflow is undefined.
//
// Every index must fit, and so must each operation that computes it:
//   in subscripts, conditions, bounds of loops (including the index at which a loop ends) and lets;
//   for memory with several indices, the extents, minima, ends and the number of cells;
//   in values that are made of indices.
// If an index or a condition is made of a value that 32 bits compute from indices alone (conversion/denoted.h), that
// value must fit too; a value of 64 bits must fit in 64 bits. Other values and prophecies are not examined. The
// analysis uses intervals.
namespace haruspex::pipeline {

// Whether indices fit for all values of the parameters in their intervals. Also false if intervals cannot tell. Every
// parameter of the program has an interval (ENSURE).
bool indices_fit(const sched::Program& program, const random::Intervals& parameters, int bits = 32);

// The greatest power of two, at most conversion::most_size, up to which the indices fit. nullopt if there is none, or
// if the assertions about the buffers are not understood. Assumes that no size is greater and that
//   parameters of the specification lie between -size and size, or between 0 or 1 and size if it assumes that;
//   an output has the minima and extents of the requested box;
//   an input has exactly the cells that it is asserted to have (oracle/conversion), so an input read at 4*x is
//   four times as long as a size;
//   and all rows are dense: a stride is the product of the preceding extents.
// Assumes nothing of the buffers of a program that has only the specification's parameters.
std::optional<std::int64_t> largest_fitting_size(const sare::Sare& specification, const sched::Program& program,
                                                 int bits = 32);

// For all sizes that the specification allows, up to the greatest that fits.
verdict::IndexFit index_fit(const sare::Sare& specification, const sched::Program& program);
// For one value of each parameter.
verdict::IndexFit index_fit(const sched::Program& program, const Sizes& parameters);

}  // namespace haruspex::pipeline
