#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "harness/sched/polynomials.h"

// Linear memory as what it stores (thesis 9.7).
namespace haruspex::conversion {

// Coordinates c_0, …, c_n with  c_0 + Σ c_d * strides[d-1] = index,  identical as polynomials; of the divisions that
// there are, one whose coordinates are short. Whether the coordinates stay within the extents, so that no two tuples of
// them share a cell, is for somebody else to see: here nothing is known of what the atoms stand for.
//
// Strides ascend: each is a multiple of the one before it. Nothing when a stride is 0, or a result becomes too large.
std::optional<std::vector<sched::Polynomial>> coordinates(const sched::Polynomial& index,
                                                          const std::vector<sched::Polynomial>& strides,
                                                          const sched::Polynomials& polynomials);

// The least and the greatest value, for as many atoms as are known.
struct Range {
    std::int64_t least = 0, greatest = 0;
};
using Ranges = std::map<sched::Atom, Range>;

// Moves each coordinate that lies beyond its dimension's extent, a constant, for all values of its atoms into it, and
// the next one as often: extents[d] times the stride of d is that of d + 1, so the index stays what it is. The last
// dimension's extent is not looked at.
void move_inside(std::vector<sched::Polynomial>& coordinates, const std::vector<sched::Polynomial>& extents,
                 const Ranges& ranges);

}  // namespace haruspex::conversion
