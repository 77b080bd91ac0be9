#pragma once

#include <string>

// What a version of Halide understands. The one place in generators/ that knows of versions; what differs in the C++
// interface stands in harness/halide/version.h.
namespace haruspex::schedule::halide {

struct Vocabulary {
    int version = 14;  // Halide's major version

    // ShiftInwardsAndBlend, RoundUpAndBlend
    bool has_blend_tails() const { return version >= 17; }
};

}  // namespace haruspex::schedule::halide
