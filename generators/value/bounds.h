#pragma once

#include "generators/value/type.h"
#include "generators/value/value.h"

// The elements of the interval analysis (range.h).
namespace haruspex::value {

struct Range {
    Type type = Type::i32;
    // All values are n * 2^-scale with low <= n <= high; scale is 0 for integers and bool.
    Int128 low = 0;
    Int128 high = 0;
    int scale = 0;

    bool operator==(const Range&) const = default;
};

// The range of all values of an integer type or bool.
Range full_range(Type type);

}  // namespace haruspex::value
