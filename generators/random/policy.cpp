#include "generators/random/policy.h"

#include <algorithm>
#include <initializer_list>

namespace haruspex::random {

Policy of_long_chains(Policy policy) {
    const auto only = [](Weights<access_kinds>& weights, std::initializer_list<AccessKind> kinds) {
        const auto all = weights;
        weights = {};
        for (const AccessKind kind : kinds) {
            const auto i = static_cast<std::size_t>(kind);
            weights[i] = std::max(all[i], 1);
        }
    };
    only(policy.access,
         {AccessKind::aligned, AccessKind::stencil, AccessKind::transposed, AccessKind::reversed, AccessKind::clamped});
    policy.access[static_cast<std::size_t>(AccessKind::aligned)] = 150;
    policy.wide_offset_per_mille = 0;
    policy.rank = {0, 20, 10, 0, 0};
    policy.tuple_per_mille = 30;
    policy.extra_output_per_mille = 20;
    policy.chained_per_mille = 1000;
    policy.another_source_per_mille = 200;
    policy.one_arm_per_mille = 20;
    policy.neighbours_per_mille = 15;
    policy.expression_size = {50, 30, 10, 0, 0, 0};
    policy.numeric[static_cast<std::size_t>(NumericForm::reduce)] = 0;
    policy.updates = {88, 12, 0, 0};
    policy.largest_extent = 16;
    return policy;
}

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
