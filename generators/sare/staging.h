#pragma once

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/syntax.h"

// The reduction from affine Halide algorithms to SAREs, and back (thesis 2.4.4).
//
// A function A(x) without updates becomes the tensor A itself. With updates 1 … n it becomes A.0 (the pure
// definition), A.s for each update s, with the recurrence variables k of that update as further dimensions behind x (in
// the update's order: the first runs innermost), and the final A:
//
//   k in R and where and x = target(k):      A.s(x, k) = values, accesses A(e) read as A.s(e, prev(k))
//   k in R and not (where and x = target(k)): A.s(x, k) = A.s(x, prev(k))
//   k not in R:                              A.s(x, k) = last value of stage s-1 at x
//   A(x) = last value of stage n at x
//
// where prev(k) is the predecessor of k in Halide's order (the first variable runs fastest): prev(k)_1 = k_1 - 1 unless k_1 is at its
// minimum, then the maximum, and k_2 steps, and so on; the predecessor of the first point lies outside R. The last value of stage s is
// A.s(x, maxima), of stage 0 it is A.0(x).
namespace haruspex::sare {

// The staged SARE of an algorithm. The algorithm must be well-formed (check in wellformed.h).
Sare stage(const Algorithm& algorithm);

// The algorithm of a staged SARE; an Error names the tensor that is not the image of a Halide function.
[[nodiscard]] Result<Algorithm> unstage(const Sare& sare);

}  // namespace haruspex::sare
