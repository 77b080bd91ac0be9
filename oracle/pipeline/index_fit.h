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
// What has to fit is every index and all that it is computed from, each operation by itself: in subscripts, conditions,
// bounds of loops (the index at which one ends, too), lets, of memory that has several indices the extents, minima,
// ends and the number of cells, and in values that are made of indices; and where an index or a condition is made of a
// value that 32 bits compute of indices alone (conversion/denoted.h), that value; of 64 bits, in those. Other values
// are none of it, nor are prophecies. The analysis is one of intervals.
namespace haruspex::pipeline {

// For all values that the parameters have in their intervals. False also where intervals do not tell. Every parameter
// of the program has an interval (ENSURE).
bool indices_fit(const sched::Program& program, const random::Intervals& parameters, int bits = 32);

// The greatest power of two, at most conversion::most_size, up to which the indices fit; nothing when there is none, or
// when what is asserted of the buffers is not understood. If no size is greater than that,
//   parameters of the specification lie between -size and size, or between 0 or 1 and size if it assumes that;
//   an output has the minima and extents of the box that is requested;
//   an input has the cells that it is asserted to have and no others (oracle/conversion), so that one that is read at
//   4*x is four times as long as a size;
//   and all rows lie close together: a stride is the product of the extents before.
// A program without parameters but the specification's has no buffers of which anything is to be said.
std::optional<std::int64_t> largest_fitting_size(const sare::Sare& specification, const sched::Program& program,
                                                 int bits = 32);

// Of all sizes that the specification allows, up to the greatest that fits.
verdict::IndexFit index_fit(const sare::Sare& specification, const sched::Program& program);
// Of one value of each of its parameters.
verdict::IndexFit index_fit(const sched::Program& program, const Sizes& parameters);

}  // namespace haruspex::pipeline
