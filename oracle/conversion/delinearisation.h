#pragma once

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

}  // namespace haruspex::conversion
