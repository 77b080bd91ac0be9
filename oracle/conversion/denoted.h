#pragma once

#include <cstdint>

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Which values: of at most 32 bits, or of 64 as well.
enum class Denotable : std::uint8_t { of_32_bits, of_64_bits };

// What integer values compute of indices alone becomes an index: int(8i32 * max(i32<x>, 0i32)) is 8*max(x, 0), the
// largest of i32<ι> over lanes is that of ι, and i32<x> < 3i32 is [x < 3]. Values of i32 and i64 are defined where
// nothing leaves its bits (pipeline/index_fit.h). Other types wrap, and are read where the index is known to be one of
// their values: with 8 lanes, i8(i32<lane>) <= i8(min(max(i32<n>, -128i32), 127i32)) is [lane <= n]. What is made of
// memory stays. No name in the program hides another.
void denote_indices(sched::Block& statements, Denotable widest = Denotable::of_64_bits);

}  // namespace haruspex::conversion
