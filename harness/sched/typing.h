#pragma once

#include <map>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "harness/sched/syntax.h"

// The typing rules of SCHED (thesis Fig. 4.7), and what lowered code needs beyond them.
namespace haruspex::sched {

inline constexpr int max_depth = 256;  // of expressions, and of statements: they are walked by recursion

enum class Kind : std::uint8_t { index, condition, value };
// 𝔸, 𝔹 or a scalar type.
struct ExprType {
    Kind kind = Kind::index;
    value::Type type = value::Type::i32;  // for a value
    bool operator==(const ExprType&) const = default;
};
std::string to_string(ExprType type);  // "index", "condition", "i32"

enum class Rules : std::uint8_t {
    affine,    // Fig. 4.7 as it stands: products by constants, division and modulo by positive constants, conditions
               // and bounds of 𝔹 and 𝔸 only, no integer that a value stands for
    extended,  // also products, divisions and modulo of any two indices, conditions on values, Denoted
};

// Reports the first fault of a program in textual order: an unbound name, a name declared twice in one block (the
// parameters, the arrays and the statements of the body are of one block), a kind or type that does not fit, a tensor
// access outside a prophecy, a memory read in a prophecy or an affine let, a wrong number of indices, a lane count
// below 1, strides for only some dimensions, a write to an input, a free of an array that the program does not
// allocate, units of a name that is not a semaphore, a name or literal that has no spelling, expressions or statements
// that nest more than max_depth deep. The message names the statement by its headline.
[[nodiscard]] Result<void> check(const Program& program, Rules rules);

// Whether expressions or statements nest more than max_depth deep: the text of such a program cannot be read back.
bool nests_too_deeply(const Program& program);

// The names in scope. There is one space of names: a name stands in one of the three maps.
struct Scope {
    struct ArrayShape {
        value::Type type = value::Type::i32;
        std::size_t index_count = 0;  // how many indices an access has
    };
    struct ValueShape {
        value::Type type = value::Type::i32;
        bool has_lanes = false;
    };
    std::map<std::string, Kind> variables;  // index or condition
    std::map<std::string, ValueShape> values;
    std::map<std::string, ArrayShape> arrays;
};
enum class Context : std::uint8_t {
    code,
    pure,      // code that reads no memory: an affine let, the dimensions of the program's arrays
    prophecy,  // mentions tensors and reads no memory
};
// Returns the type of an expression, or its fault. The types of tensors are not known here: a prophecy has the type of
// its write, and a prophecy whose type depends on a tensor's alone is refused.
[[nodiscard]] Result<ExprType> type_of(const Expr& expr, const Scope& scope, Rules rules, Context context);

}  // namespace haruspex::sched
