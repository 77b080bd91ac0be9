#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generators/value/value.h"

namespace haruspex::verdict {

// One cell on which two computations disagree.
struct Difference {
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> cell;
    value::Value expected = value::Value::undef(value::Type::i32);
    value::Value actual = value::Value::undef(value::Type::i32);
    std::uint64_t differing_cells = 0;  // number of differing cells, over all outputs
    std::uint64_t compared_cells = 0;
    bool operator==(const Difference&) const = default;
};

}  // namespace haruspex::verdict
