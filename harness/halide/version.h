#pragma once

#include <Halide.h>

#include <string>

#include "generators/schedule/directive.h"

// Everything that differs between the versions of Halide this folder compiles against (14, 19 and 21); no other file
// asks for the version. Private to this folder, like every header here that includes Halide.h.

// Halide 14 does not say its version; every later one does.
#ifndef HALIDE_VERSION_MAJOR
#define HALIDE_VERSION_MAJOR 14
#define HALIDE_VERSION_MINOR 0
#define HALIDE_VERSION_PATCH 0
#endif

namespace haruspex::halide {

inline constexpr int version_major = HALIDE_VERSION_MAJOR;

inline std::string version_text() {
    return std::to_string(HALIDE_VERSION_MAJOR) + "." + std::to_string(HALIDE_VERSION_MINOR) + "." +
           std::to_string(HALIDE_VERSION_PATCH);
}

// A tail strategy, if this version has it.
inline bool has_tail(schedule::Tail tail) {
    return version_major >= 17 ||
           (tail != schedule::Tail::shift_inwards_and_blend && tail != schedule::Tail::round_up_and_blend);
}

// The tail is one that this version has.
inline Halide::TailStrategy tail_strategy(schedule::Tail tail) {
    using schedule::Tail;
    switch (tail) {
        case Tail::automatic: return Halide::TailStrategy::Auto;
        case Tail::round_up: return Halide::TailStrategy::RoundUp;
        case Tail::guard_with_if: return Halide::TailStrategy::GuardWithIf;
        case Tail::predicate: return Halide::TailStrategy::Predicate;
        case Tail::predicate_loads: return Halide::TailStrategy::PredicateLoads;
        case Tail::predicate_stores: return Halide::TailStrategy::PredicateStores;
        case Tail::shift_inwards: return Halide::TailStrategy::ShiftInwards;
#if HALIDE_VERSION_MAJOR >= 17
        case Tail::shift_inwards_and_blend: return Halide::TailStrategy::ShiftInwardsAndBlend;
        case Tail::round_up_and_blend: return Halide::TailStrategy::RoundUpAndBlend;
#else
        case Tail::shift_inwards_and_blend:
        case Tail::round_up_and_blend: break;
#endif
    }
    return Halide::TailStrategy::Auto;
}

}  // namespace haruspex::halide
