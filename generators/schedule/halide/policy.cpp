#include "generators/schedule/halide/policy.h"

namespace haruspex::schedule::halide {

Policy padding_policy() {
    Policy policy;
    policy.placement = {0, 0, 50, 50};
    policy.line_buffer_per_mille = 150;
    policy.loop = {26, 13, 4, 12, 8, 24, 4, 14, 8, 6, 4};
    policy.tail = {14, 34, 8, 5, 6, 2, 8, 14, 24};
    policy.align_bounds_per_mille = 450;
    policy.align_output_bounds_per_mille = 20;
    policy.align_storage_per_mille = 450;
    policy.padded_per_mille = 960;
    policy.rounds_outputs_up = false;
    return policy;
}

Policy mixed(Choices& choices, const Policy& policy) {
    Policy result = policy;
    mix(choices, policy.mix, result.placement);
    mix(choices, policy.mix, result.loop);
    mix(choices, policy.mix, result.tail);
    mix(choices, policy.mix, result.factor);
    return result;
}

}  // namespace haruspex::schedule::halide
