#pragma once

#include <cstdint>

namespace haruspex {

inline constexpr std::uint64_t splitmix64_step = 0x9e3779b97f4a7c15;

// Returns the number that splitmix64 draws in the given state. Neighbouring states give unrelated numbers.
constexpr std::uint64_t mix(std::uint64_t state) {
    std::uint64_t z = state + splitmix64_step;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
    return z ^ (z >> 31U);
}

}  // namespace haruspex
