#include "generators/random/policy.h"

#include <algorithm>

namespace haruspex::random {

Policy mixed(Choices& choices, const Policy& policy, std::span<const value::Type> types) {
    Policy result = policy;
    for (std::size_t i = 0; i < value::all_types.size(); ++i) {
        if (std::ranges::find(types, value::all_types[i]) == types.end()) { result.types[i] = 0; }
    }
    mix(choices, policy.mix, result.rank);
    mix(choices, policy.mix, result.types);
    mix(choices, policy.mix, result.access);
    mix(choices, policy.mix, result.numeric);
    mix(choices, policy.mix, result.boolean);
    mix(choices, policy.mix, result.update);
    mix(choices, policy.mix, result.accumulate_op);
    // Expressions must be able to end.
    result.numeric[static_cast<std::size_t>(NumericForm::leaf)] =
        policy.numeric[static_cast<std::size_t>(NumericForm::leaf)];
    result.boolean[static_cast<std::size_t>(BooleanForm::guard)] =
        policy.boolean[static_cast<std::size_t>(BooleanForm::guard)];
    return result;
}

}  // namespace haruspex::random
