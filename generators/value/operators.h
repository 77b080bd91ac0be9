#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "generators/value/value.h"

// Every operator of the tensor languages, defined once. The interpreters of SAREs and SCHED, the generator's interval
// analysis, the solver encodings and the compiler wrapper all follow these definitions. operators.cpp names the source
// of each rule.
namespace haruspex::value {

enum class UnaryOp : std::uint8_t {
    negate,       // -a              signed integer or float; 0 - a on floats, so -(+0.0) is +0.0
    logical_not,  // !a              bool
    bit_not,      // ~a              integer
    absolute,     // abs(a)          signed integer -> unsigned of the same width; float -> float
};

enum class BinaryOp : std::uint8_t {
    // Numbers. Integers wrap, or their overflow is Undef (type.h); floats are IEEE's.
    add,
    sub,
    mul,
    // Numbers. On integers Euclidean, with result 0 for a divisor of 0. On floats IEEE division and a - b*floor(a/b).
    div,
    mod,
    // Numbers. A NaN operand gives Undef. Of two zeros of opposite sign the result is the second operand.
    min,
    max,
    // Compare numbers; the result is a bool. eq and ne also compare bools. IEEE comparison on floats.
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    // Bools. Both operands are evaluated.
    logical_and,
    logical_or,
    // Integers.
    bit_and,
    bit_or,
    bit_xor,
    // Integers; the amount has the same type as the value. A negative amount shifts the other way; an amount of the
    // width or more gives Undef. A left shift is a multiplication, and overflows like one.
    shift_left,
    shift_right,
};

inline constexpr std::array<UnaryOp, 4> all_unary_ops{UnaryOp::negate, UnaryOp::logical_not, UnaryOp::bit_not,
                                                      UnaryOp::absolute};
inline constexpr std::array<BinaryOp, 20> all_binary_ops{
    BinaryOp::add,     BinaryOp::sub,    BinaryOp::mul,     BinaryOp::div,         BinaryOp::mod,
    BinaryOp::min,     BinaryOp::max,    BinaryOp::eq,      BinaryOp::ne,          BinaryOp::lt,
    BinaryOp::le,      BinaryOp::gt,     BinaryOp::ge,      BinaryOp::logical_and, BinaryOp::logical_or,
    BinaryOp::bit_and, BinaryOp::bit_or, BinaryOp::bit_xor, BinaryOp::shift_left,  BinaryOp::shift_right};

// The operator's spelling in the text forms: "+", "min", "&&", "<<", "abs", …; min, max and abs are written as calls.
std::string_view spelling(UnaryOp op);
std::string_view spelling(BinaryOp op);

// The type of the result, or nullopt if the operands' types do not fit the operator.
std::optional<Type> result_type(UnaryOp op, Type a);
std::optional<Type> result_type(BinaryOp op, Type a, Type b);

// Whether the operator, or the cast, is defined on all defined operands of the type.
bool is_total(UnaryOp op, Type operand);
bool is_total(BinaryOp op, Type operand);
bool is_total_cast(Type from, Type to);
// Whether swapping the operands never changes the result. With `exact_reals`, floats do not round and zeros have no
// sign. Without it, min and max of floats are not commutative, because of zeros of opposite sign.
bool is_commutative(BinaryOp op, Type operand, bool exact_reals = false);
// Whether a chain of the operator may be regrouped and reordered: the operator is associative and commutative, and
// overflow of an intermediate result is not Undef.
bool is_associative(BinaryOp op, Type operand, bool exact_reals);

// Evaluates the operator; the operands' types must fit (ENSURE). Undef in any operand gives Undef. Otherwise Uninit in
// any operand gives Uninit, except that false && Uninit is false and true || Uninit is true, in either order.
Value apply(UnaryOp op, const Value& a);
Value apply(BinaryOp op, const Value& a, const Value& b);
// Returns the chosen arm, but is eager: Undef in the condition or in either arm gives Undef. A Uninit arm that is not
// chosen is ignored. A Uninit condition gives Uninit unless both arms are the same.
Value select(const Value& condition, const Value& if_true, const Value& if_false);
// Converts between any two types. An integer wraps, or becomes Undef if it does not fit i32 or i64 (compilers assume
// that those casts do not overflow). Integer to float and f64 to f32 round to nearest even. Float to integer
// truncates and is Undef out of range. bool is 0 or 1; a cast to bool means "not equal to zero" (a
// compiler whose cast keeps the lowest bit must be given a != 0 instead).
Value cast(Type to, const Value& a);
// Return the result if it equals the result over the real numbers: always for integers, bools, min and max; for float
// arithmetic only if operands and result are finite and nothing is rounded. nullopt if the results differ or if their
// equality is not detected, as for nonzero products and dividends below 2^-100 in magnitude.
std::optional<Value> apply_exactly(BinaryOp op, const Value& a, const Value& b);
std::optional<Value> cast_exactly(Type to, const Value& a);

// Associative operators over which the languages reduce.
enum class ReductionOp : std::uint8_t { sum, prod, min, max, logical_and, logical_or };
inline constexpr std::array<ReductionOp, 6> all_reduction_ops{ReductionOp::sum,         ReductionOp::prod,
                                                              ReductionOp::min,         ReductionOp::max,
                                                              ReductionOp::logical_and, ReductionOp::logical_or};
std::string_view spelling(ReductionOp op);  // "sum", "prod", "min", "max", "and", "or"
BinaryOp binary_op(ReductionOp op);
// Returns the neutral element, or nullopt if the operator is not defined at the type. For min it is the type's largest
// value (+inf for floats), for max the smallest (-inf).
std::optional<Value> neutral(ReductionOp op, Type type);

}  // namespace haruspex::value
