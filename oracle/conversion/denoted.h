#pragma once

#include <cstdint>

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Which values: of 32 bits, or of 64 as well.
enum class Denotable : std::uint8_t { of_32_bits, of_64_bits };

// What values of 32 or 64 bits compute of indices alone becomes an index: int(8i32 * max(i32<x>, 0i32)) is 8*max(x, 0),
// the largest of i32<ι> over lanes is that of ι, and i32<x> < 3i32 is [x < 3]. The values are defined where nothing
// leaves its bits (pipeline/index_fit.h). What is made of memory stays. No name in the program hides another.
void denote_indices(sched::Block& statements, Denotable widest = Denotable::of_64_bits);

}  // namespace haruspex::conversion
