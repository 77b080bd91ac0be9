#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "generators/schedule/halide/spelling.h"

// The vocabulary of a version of Halide. Only this file of generators/ says how versions differ; differences in
// Halide's C++ interface are in harness/halide/version.h.
namespace haruspex::schedule::halide {

// A directive or tail strategy, and the first major version that has it.
struct Since {
    std::string_view name;
    int version;
};
// Halide 14 has the other ones. Between 14 and 19 no version is tested.
inline constexpr std::array<Since, 10> since{{
    {"ShiftInwardsAndBlend", 17},
    {"RoundUpAndBlend", 17},
    {"hoist_storage", 19},
    {"hoist_storage_root", 19},
    {"ring_buffer", 19},
    {"partition", 19},
    {"never_partition", 19},
    {"always_partition", 19},
    {"never_partition_all", 19},
    {"always_partition_all", 19},
}};

struct Vocabulary {
    int version = 14;  // Halide's major version

    bool has(Tail tail) const { return has(tail_names[static_cast<std::size_t>(tail)]); }
    bool has(const Action& action) const { return has(action_names[action.index()]); }
    // `name` must be a directive's or a tail strategy's.
    bool has(std::string_view name) const {
        const auto* known = std::ranges::find(since, name, &Since::name);
        return known == since.end() || version >= known->version;
    }
};

}  // namespace haruspex::schedule::halide
