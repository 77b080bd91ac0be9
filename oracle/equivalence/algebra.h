#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "generators/base/result.h"
#include "generators/value/operators.h"

// Operators as the checker sees them: uninterpreted symbols. It only knows whether an operator's operands may be
// reordered.
namespace haruspex::equivalence {

struct Conversion {
    value::Type to = value::Type::i32;
    bool operator==(const Conversion&) const = default;
};
struct Choice {  // select(condition, if_true, if_false)
    bool operator==(const Choice&) const = default;
};

struct Operator {
    std::variant<value::UnaryOp, value::BinaryOp, Conversion, Choice> what;
    value::Type type = value::Type::i32;  // of the operands; for a choice, of its alternatives
    bool operator==(const Operator&) const = default;
};
std::string to_string(const Operator& op);  // "add i32", "i32 to u8", "select u8"

// Whether the operator never gives Undef for operands that are not Undef.
bool is_total(const Operator& op);

// The integer that equals the literal at its type; nullopt if there is none.
std::optional<std::int64_t> integer(const value::Value& literal);

// The operators that the user allows to be reordered.
using Reorderable = std::set<value::BinaryOp>;

// Parses "add,mul,max": each an operator that is associative and commutative at some type. An Error names one that is
// not.
[[nodiscard]] Result<Reorderable> parse_reorderable(std::string_view names);
// The names that parse_reorderable knows, separated by commas.
std::string reorderable_names();

// Whether the law holds at the operator's type for all values, Undef included. A sum of i32 is not associative, because
// another order may overflow; nor is a sum of floats, unless they are exact real numbers.
bool is_associative(const Operator& op, bool exact_reals);
bool is_commutative(const Operator& op, bool exact_reals);

}  // namespace haruspex::equivalence
