#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "generators/random/regions.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

// Whether a program's indices fit the machine's integers (thesis 9.5). In SCHED they are mathematical integers, and a
// proof for all sizes is about those; compilers compute them in 32 bits, where an overflow is undefined.
//
// What has to fit is every index and all that it is computed from, each operation by itself: in subscripts, conditions,
// bounds of loops (the index at which one ends, too), lets, extents of memory and their product, and in values that are
// made of indices; and where an index or a condition is made of a value that 32 bits compute of indices alone
// (conversion/denoted.h), that value; of 64 bits, in those. Other values are none of it, nor are prophecies. The
// analysis is one of intervals.
namespace haruspex::pipeline {

// For all values that the parameters have in their intervals. False also where intervals do not tell. Every parameter
// of the program has an interval (ENSURE).
bool indices_fit(const sched::Program& program, const random::Intervals& parameters, int bits = 32);

// What the parameters of a lowered program may be if no size is greater than this:
//   parameters of the specification lie between -size and size, or between 0 or 1 and size if it assumes that;
//   an output has the minima and extents of the box that is requested;
//   an input's minima lie between -size and size, its extents between 0 and size;
//   and all rows lie close together: a stride is the product of the extents before.
// Nothing when the program has other parameters.
std::optional<random::Intervals> intervals_up_to(std::int64_t size, const sare::Sare& specification,
                                                 const sched::Program& program);

// The greatest power of two, at most conversion::most_size, up to which the indices fit; nothing when there is none.
std::optional<std::int64_t> largest_fitting_size(const sare::Sare& specification, const sched::Program& program,
                                                 int bits = 32);

// "fit 32 bits", "fit 32 bits for sizes up to 4096", "are not known to fit 32 bits".
std::string describe_fit(const sare::Sare& specification, const sched::Program& program);

}  // namespace haruspex::pipeline
