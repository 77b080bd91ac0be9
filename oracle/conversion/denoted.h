#pragma once

#include <cstdint>

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// The values that may become indices: those of at most 32 bits, or those of 64 bits, too.
enum class Denotable : std::uint8_t { of_32_bits, of_64_bits };

// Turns integer values that are computed from indices alone into indices. (i32<x> is the index x, converted to an i32.)
// For example, int(8i32 * max(i32<x>, 0i32)) becomes 8*max(x, 0), the maximum of i32<ι> over lanes becomes that of ι,
// and i32<x> < 3i32 becomes [x < 3]. Values of i32 and i64 equal their index wherever they are defined
// (pipeline/index_fit.h). Narrower types wrap; their values are converted only if the index is known to be a value of
// the type: with 8 lanes, i8(i32<lane>) <= i8(min(max(i32<n>, -128i32), 127i32)) is [lane <= n]. Values that depend on
// memory are not converted, nor are values of u32 or u64, nor values that a cast widens to 64 bits. No name in the
// program hides another.
void denote_indices(sched::Block& statements, Denotable widest = Denotable::of_64_bits);

}  // namespace haruspex::conversion
