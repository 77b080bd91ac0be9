#include "generators/schedule/halide/policy.h"

namespace haruspex::schedule::halide {

Policy mixed(Choices& choices, const Policy& policy) {
    Policy result = policy;
    mix(choices, policy.mix, result.placement);
    mix(choices, policy.mix, result.loop);
    mix(choices, policy.mix, result.tail);
    mix(choices, policy.mix, result.factor);
    return result;
}

}  // namespace haruspex::schedule::halide
