#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "generators/value/type.h"

namespace haruspex::validator {

// The signature of a tensor that prophecies may name: all that evaluation needs of the specification.
struct TensorSignature {
    std::vector<value::Type> types;  // of the components
    std::size_t rank = 0;
    bool is_total = false;  // no cell of it is ever Undef (Specification::is_total)
};
using TensorSignatures = std::map<std::string, TensorSignature>;

}  // namespace haruspex::validator
