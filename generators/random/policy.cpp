#include "generators/random/policy.h"

#include <algorithm>

namespace haruspex::random {
namespace {

template <std::size_t N>
void mix(Choices& choices, Weights<N>& weights) {
    const Weights<N> original = weights;
    for (int& weight : weights) {
        // Shrinks to the policy's own weight.
        constexpr std::array<int, 4> percent{100, 0, 50, 400};
        weight = weight * percent[choices.weighted({45, 12, 20, 23})] / 100;
    }
    if (std::ranges::all_of(weights, [](int weight) { return weight == 0; })) { weights = original; }
}

}  // namespace

Policy mixed(Choices& choices, const Policy& policy) {
    Policy result = policy;
    mix(choices, result.rank);
    mix(choices, result.types);
    mix(choices, result.access);
    mix(choices, result.numeric);
    mix(choices, result.boolean);
    mix(choices, result.update);
    mix(choices, result.accumulate_op);
    mix(choices, result.placement);
    mix(choices, result.loop);
    mix(choices, result.tail);
    mix(choices, result.factor);
    // An expression must be able to end.
    result.numeric[static_cast<std::size_t>(NumericForm::leaf)] =
        policy.numeric[static_cast<std::size_t>(NumericForm::leaf)];
    result.boolean[static_cast<std::size_t>(BooleanForm::guard)] =
        policy.boolean[static_cast<std::size_t>(BooleanForm::guard)];
    return result;
}

}  // namespace haruspex::random
