#pragma once

#include <string>

// The vocabulary of a version of Halide. Only this file of generators/ says how versions differ; differences in
// Halide's C++ interface are in harness/halide/version.h.
namespace haruspex::schedule::halide {

struct Vocabulary {
    int version = 14;  // Halide's major version

    // ShiftInwardsAndBlend, RoundUpAndBlend
    bool has_blend_tails() const { return version >= 17; }
};

}  // namespace haruspex::schedule::halide
