#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "generators/value/type.h"

// What the typing rules distinguish: kinds and types of expressions, the set of rules, the place of an expression, the
// names in scope.
namespace haruspex::sched {

inline constexpr int max_depth = 256;  // expressions and statements are walked by recursion

enum class Kind : std::uint8_t { index, condition, value };
// 𝔸, 𝔹 or a scalar type.
struct ExprType {
    Kind kind = Kind::index;
    value::Type type = value::Type::i32;  // if `kind` is value
    bool operator==(const ExprType&) const = default;
};
std::string to_string(ExprType type);  // "index", "condition", "i32"

enum class Rules : std::uint8_t {
    affine,    // Fig. 4.7 as it stands: products by constants, division and modulo by positive constants, only
               // conditions of kind 𝔹 and bounds of kind 𝔸, no IntegerOf
    extended,  // also products, division and modulo of any two indices, conditions that are bools, IntegerOf
};

enum class Context : std::uint8_t {
    code,
    pure,      // code that reads no memory: an affine let, the dimensions of the program's arrays
    prophecy,  // mentions tensors and reads no memory
};

// The names in scope. All names share one space, so a name is in at most one of the three maps.
struct Scope {
    struct ArrayShape {
        value::Type type = value::Type::i32;
        std::size_t index_count = 0;  // the number of indices of an access
    };
    struct ValueShape {
        value::Type type = value::Type::i32;
        bool has_lanes = false;
    };
    std::map<std::string, Kind> variables;  // index or condition
    std::map<std::string, ValueShape> values;
    std::map<std::string, ArrayShape> arrays;
};

}  // namespace haruspex::sched
