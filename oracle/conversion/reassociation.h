#pragma once

#include "generators/base/feature.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/halide/factoring.h"

namespace haruspex::conversion {

// Nothing where `merged` behind `intermediate` computes whatever `before` does, for all inputs and all sizes under the
// algorithm's assumptions, and is defined where that is; or why that is not shown. The operator has to be associative
// and commutative at its type (signed sums that may overflow are not; sums of floats are with exact reals), and isl has
// to find that the two domains hold each step of the update once. Nothing is taken for granted of the record.
[[nodiscard]] Supported<void> is_same(const sare::Algorithm& algorithm, const schedule::halide::Factoring& factoring,
                                      bool exact_reals);

}  // namespace haruspex::conversion
