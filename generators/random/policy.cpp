#include "generators/random/policy.h"

#include <algorithm>

namespace haruspex::random {
namespace {

template <std::size_t N>
void mix(Choices& choices, const Weights<4>& how, Weights<N>& weights) {
    const Weights<N> original = weights;
    for (int& weight : weights) {
        // Shrinks to the policy's own weight.
        constexpr std::array<int, 4> percent{100, 0, 50, 400};
        weight = weight * percent[choices.weighted(how)] / 100;
    }
    if (std::ranges::all_of(weights, [](int weight) { return weight == 0; })) { weights = original; }
}

}  // namespace

Policy mixed(Choices& choices, const Policy& policy) {
    Policy result = policy;
    mix(choices, policy.mix, result.rank);
    mix(choices, policy.mix, result.types);
    mix(choices, policy.mix, result.access);
    mix(choices, policy.mix, result.numeric);
    mix(choices, policy.mix, result.boolean);
    mix(choices, policy.mix, result.update);
    mix(choices, policy.mix, result.accumulate_op);
    mix(choices, policy.mix, result.placement);
    mix(choices, policy.mix, result.loop);
    mix(choices, policy.mix, result.tail);
    mix(choices, policy.mix, result.factor);
    // Expressions must be able to end.
    result.numeric[static_cast<std::size_t>(NumericForm::leaf)] =
        policy.numeric[static_cast<std::size_t>(NumericForm::leaf)];
    result.boolean[static_cast<std::size_t>(BooleanForm::guard)] =
        policy.boolean[static_cast<std::size_t>(BooleanForm::guard)];
    return result;
}

}  // namespace haruspex::random
