#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "harness/sched/polynomials.h"

// Divides indices of linear memory into coordinates (thesis 9.7).
namespace haruspex::conversion {

// Returns coordinates c_0, …, c_n with  c_0 + Σ c_d * strides[d-1] = index,  as polynomials. Among the possible
// divisions, picks one whose coordinates are short. Callers must check that the coordinates stay within the extents, so
// that no two tuples of coordinates share a cell: the ranges of atoms are not known here.
//
// Strides ascend: each is a multiple of the one before it. nullopt if a stride is 0, or if a result becomes too large.
std::optional<std::vector<sched::Polynomial>> coordinates(const sched::Polynomial& index,
                                                          const std::vector<sched::Polynomial>& strides,
                                                          const sched::Polynomials& polynomials);

// The least and the greatest value of each atom whose range is known.
struct Range {
    std::int64_t least = 0, greatest = 0;
};
using Ranges = std::map<sched::Atom, Range>;

// Moves coordinates into their dimensions. If coordinate d lies n extents beyond its dimension, with the same n for all
// values of its atoms and a constant extent, then n extents are subtracted from it, and n is added to the next
// coordinate. The index stays the same, because extents[d] times the stride of d is the stride of d + 1. The last
// coordinate is not changed.
void move_inside(std::vector<sched::Polynomial>& coordinates, const std::vector<sched::Polynomial>& extents,
                 const Ranges& ranges);

}  // namespace haruspex::conversion
