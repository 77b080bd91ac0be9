#pragma once

// The sizes that well-formed SAREs may have (wellformed.h).
namespace haruspex::sare {

inline constexpr int max_rank = 16;
inline constexpr int max_depth = 256;  // expressions, conditions and indices are walked recursively

}  // namespace haruspex::sare
