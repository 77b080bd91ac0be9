#include "generators/value/bounds.h"

#include "generators/base/ensure.h"

namespace haruspex::value {

Range full_range(Type type) {
    ENSURE(!is_float(type), "the values of a float type are no range");
    const Int128 one = 1;
    if (is_signed_integer(type)) {
        const Int128 half = one << (bits(type) - 1);
        return {type, -half, half - 1, 0};
    }
    return {type, 0, (one << bits(type)) - 1, 0};
}

}  // namespace haruspex::value
