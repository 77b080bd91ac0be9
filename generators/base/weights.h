#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "generators/base/choice.h"

// Frequencies of alternatives, relative to each other. They are mixed anew for each program, so that one program is all
// stencils and the next all casts, and rare combinations occur.
namespace haruspex {

template <std::size_t N>
using Weights = std::array<int, N>;

// The frequencies with which a weight stays, becomes 0, is halved or is quadrupled, in this order.
struct Mix {
    Weights<4> weights{45, 12, 20, 23};
};

// Keeps, drops, halves or quadruples every positive weight at random. At least one of them stays positive.
template <std::size_t N>
void mix(Choices& choices, const Mix& how, Weights<N>& weights) {
    const Weights<N> original = weights;
    for (int& weight : weights) {
        if (weight == 0) { continue; }
        // Shrinks to the unchanged weight.
        constexpr std::array<int, 4> percent{100, 0, 50, 400};
        weight = weight * percent[choices.weighted(how.weights)] / 100;
    }
    if (std::ranges::all_of(weights, [](int weight) { return weight == 0; })) { weights = original; }
}

}  // namespace haruspex
