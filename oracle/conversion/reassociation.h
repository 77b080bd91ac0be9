#pragma once

#include "generators/base/feature.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/factoring.h"

namespace haruspex::conversion {

// Under which condition two algorithms compute the same.
struct Same {
    // No sum of some summands of the update overflows, with or without the value before it.
    bool needs_fitting_sums = false;
};

// Shows that the factoring's `intermediate` and `merged` together compute what `before` computes, for all inputs and
// all sizes that the algorithm assumes, and are defined wherever `before` is; otherwise returns the obstacle. The
// operator must be associative and commutative at its type (sums of floats are, with `exact_reals`). Sums of signed
// integers are where none of their partial sums overflows. isl must show that the two new domains hold each step of the
// update exactly once. Nothing in the factoring is trusted.
[[nodiscard]] Supported<Same> is_same(const sare::Algorithm& algorithm, const schedule::Factoring& factoring,
                                      bool exact_reals);

}  // namespace haruspex::conversion
