#include "generators/value/operators.h"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>

#include "generators/base/ensure.h"

// Each rule is that of the compiler whose tensor language this was first (generators/value/README.md). If its documents
// are silent, its sources decide; both are named beside the rule, the files as in src/ of its version 14.
namespace haruspex::value {
namespace {

// The exact value of a defined integer or bool. 128 bits hold every sum, difference, quotient and shift of 64-bit
// operands; products are checked.
Int128 exact(const Value& v) {
    if (is_signed_integer(v.type())) { return v.as_signed(); }
    return static_cast<Int128>(v.bit_pattern());
}

bool fits(Type type, Int128 v) {
    const Int128 one = 1;
    if (is_signed_integer(type)) { return v >= -(one << (bits(type) - 1)) && v < (one << (bits(type) - 1)); }
    return v >= 0 && v < (one << bits(type));
}

Value wrap(Type type, Int128 v) { return Value::from_bits(type, static_cast<std::uint64_t>(v)); }

// IROperator.h: overflow of 32- and 64-bit signed integers is undefined (the simplifier and LLVM's nsw flag rely on it);
// the other integers of that compiler wrap (CodeGen_LLVM.cpp sets nsw for int32 and int64 only).
Value wrap_or_undef(Type type, Int128 v) {
    if (overflow_is_undefined(type) && !fits(type, v)) { return Value::undef(type); }
    return wrap(type, v);
}

Value multiply(Type type, Int128 a, Int128 b) {
    // Only u64 can exceed 128 signed bits, and it wraps.
    if (type == Type::u64) {
        return Value::from_bits(type, static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    }
    return wrap_or_undef(type, a * b);
}

// IROperator.h: (a/b)*b + a%b == a and 0 <= a%b < |b|; "mod by zero returns zero, and div by zero returns zero".
Int128 euclidean_mod(Int128 a, Int128 b) {
    if (b == 0) { return 0; }
    const Int128 r = a % b;
    return r >= 0 ? r : r + (b < 0 ? -b : b);
}

Int128 euclidean_div(Int128 a, Int128 b) { return b == 0 ? 0 : (a - euclidean_mod(a, b)) / b; }

// Simplify_Call.cpp: a shift by the width or more is undefined, "LLVM … poison … so we will follow suit"; a negative
// amount shifts the other way by its magnitude (CodeGen_Internal.cpp, lower_signed_shift_left and _right).
// IROperator.h calls a left shift a multiplication by 2^n and Simplify_Call.cpp rewrites it into one, so its overflow
// is a multiplication's. A right shift extends the sign: it rounds to minus infinity.
Value shift(Type type, Int128 a, Int128 left_by) {
    const Int128 distance = left_by < 0 ? -left_by : left_by;
    if (distance >= bits(type)) { return Value::undef(type); }
    if (left_by < 0) { return wrap(type, a >> static_cast<int>(distance)); }
    return wrap_or_undef(type, a * (static_cast<Int128>(1) << static_cast<int>(distance)));
}

Value apply_to_integers(BinaryOp op, const Value& va, const Value& vb) {
    const Type type = va.type();
    const Int128 a = exact(va);
    const Int128 b = exact(vb);
    switch (op) {
        case BinaryOp::add: return wrap_or_undef(type, a + b);
        case BinaryOp::sub: return wrap_or_undef(type, a - b);
        case BinaryOp::mul: return multiply(type, a, b);
        // IROperator.h: the most negative integer by -1 gives itself "for types where overflow is defined behavior".
        case BinaryOp::div: return wrap_or_undef(type, euclidean_div(a, b));
        case BinaryOp::mod: return wrap(type, euclidean_mod(a, b));
        case BinaryOp::min: return a < b ? va : vb;
        case BinaryOp::max: return a > b ? va : vb;
        case BinaryOp::eq: return Value::boolean(a == b);
        case BinaryOp::ne: return Value::boolean(a != b);
        case BinaryOp::lt: return Value::boolean(a < b);
        case BinaryOp::le: return Value::boolean(a <= b);
        case BinaryOp::gt: return Value::boolean(a > b);
        case BinaryOp::ge: return Value::boolean(a >= b);
        case BinaryOp::logical_and: return Value::boolean(a != 0 && b != 0);
        case BinaryOp::logical_or: return Value::boolean(a != 0 || b != 0);
        case BinaryOp::bit_and: return wrap(type, a & b);
        case BinaryOp::bit_or: return wrap(type, a | b);
        case BinaryOp::bit_xor: return wrap(type, a ^ b);
        case BinaryOp::shift_left: return shift(type, a, b);
        case BinaryOp::shift_right: return shift(type, a, -b);
    }
    ENSURE(false, "a binary operator that is not handled");
    return Value::undef(type);
}

Value of_float(float v) { return Value::f32(v); }
Value of_float(double v) { return Value::f64(v); }

// IROperator.h, mod_imp: a - b * floor(a / b). Each step is rounded to the type; separate statements keep the
// compiler from fusing the multiplication and the subtraction.
template <typename Float>
Float floor_mod(Float a, Float b) {
    const Float quotient = a / b;
    const Float whole = std::floor(quotient);
    const Float product = b * whole;
    return a - product;
}

// IEEE arithmetic in the type itself. Without strict_float the compiler may reassociate and contract, and the sign of
// a zero, NaN and infinities are not preserved (CodeGen_LLVM.cpp, fast_flags): callers compare such programs only
// where all of that makes no difference.
template <typename Float>
Value apply_to_floats(BinaryOp op, Float a, Float b) {
    switch (op) {
        case BinaryOp::add: return of_float(a + b);
        case BinaryOp::sub: return of_float(a - b);
        case BinaryOp::mul: return of_float(a * b);
        case BinaryOp::div: return of_float(a / b);
        case BinaryOp::mod: return of_float(floor_mod(a, b));
        // CodeGen_LLVM.cpp: select(a < b, a, b), but operands are reordered by Simplify_Min.cpp and by vector
        // reductions, so a NaN leaves open which operand comes out. Zeros of opposite sign are given the second
        // operand, which is what the unsimplified (strict_float) select does.
        case BinaryOp::min:
            return std::isnan(a) || std::isnan(b) ? Value::undef(of_float(a).type()) : of_float(a < b ? a : b);
        case BinaryOp::max:
            return std::isnan(a) || std::isnan(b) ? Value::undef(of_float(a).type()) : of_float(a > b ? a : b);
        case BinaryOp::eq: return Value::boolean(a == b);
        case BinaryOp::ne: return Value::boolean(a != b);
        case BinaryOp::lt: return Value::boolean(a < b);
        case BinaryOp::le: return Value::boolean(a <= b);
        case BinaryOp::gt: return Value::boolean(a > b);
        case BinaryOp::ge: return Value::boolean(a >= b);
        default: break;
    }
    ENSURE(false, "a binary operator that floats do not have");
    return Value::undef(of_float(a).type());
}

template <typename Float>
Value apply_to_float(UnaryOp op, Float a) {
    switch (op) {
        // IROperator.cpp: -a is 0 - a, so that -(+0.0) is +0.0.
        case UnaryOp::negate: return of_float(Float{0} - a);
        case UnaryOp::absolute: return of_float(std::fabs(a));
        default: break;
    }
    ENSURE(false, "a unary operator that floats do not have");
    return Value::undef(of_float(a).type());
}

// CodeGen_LLVM.cpp: fptosi and fptoui, whose result is poison when the truncated number does not fit.
Value float_to_integer(Type to, double a) {
    if (!std::isfinite(a)) { return Value::undef(to); }
    const double whole = std::trunc(a);
    // Above 2^64 the conversion to 128 bits itself could overflow.
    if (std::fabs(whole) > 0x1p64 || !fits(to, static_cast<Int128>(whole))) { return Value::undef(to); }
    return wrap(to, static_cast<Int128>(whole));
}

template <typename Float>
Value integer_to_float(const Value& a) {
    // Converted from 64 bits, with one rounding: narrower types are exact in between.
    if (is_signed_integer(a.type())) { return of_float(static_cast<Float>(a.as_signed())); }
    return of_float(static_cast<Float>(a.bit_pattern()));
}

// The result that an operation inherits from operands that are not all defined.
std::optional<Value> inherited(Type type, std::initializer_list<const Value*> operands) {
    bool uninit = false;
    for (const Value* operand : operands) {
        if (operand->is_undef()) { return Value::undef(type); }
        uninit = uninit || operand->is_uninit();
    }
    if (uninit) { return Value::uninit(type); }
    return std::nullopt;
}

// Whether one operand is a false of && or a true of ||, and the other is Uninit. Compilers turn such operators into a
// select between bools, where an arm that is not chosen is harmless.
bool is_decided_by_one(BinaryOp op, const Value& a, const Value& b) {
    if (op != BinaryOp::logical_and && op != BinaryOp::logical_or) { return false; }
    const Value deciding = Value::boolean(op == BinaryOp::logical_or);
    return (a == deciding && b.is_uninit()) || (a.is_uninit() && b == deciding);
}

}  // namespace

std::string_view spelling(UnaryOp op) {
    switch (op) {
        case UnaryOp::negate: return "-";
        case UnaryOp::logical_not: return "!";
        case UnaryOp::bit_not: return "~";
        case UnaryOp::absolute: return "abs";
    }
    ENSURE(false, "a unary operator without a spelling");
    return {};
}

std::string_view spelling(BinaryOp op) {
    static constexpr std::array<std::string_view, all_binary_ops.size()> spellings{
        "+", "-", "*", "/", "%", "min", "max", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "&", "|", "^", "<<", ">>"};
    return spellings.at(static_cast<std::size_t>(op));
}

std::string_view spelling(ReductionOp op) {
    static constexpr std::array<std::string_view, all_reduction_ops.size()> spellings{"sum", "prod", "min",
                                                                                      "max", "and",  "or"};
    return spellings.at(static_cast<std::size_t>(op));
}

std::optional<Type> result_type(UnaryOp op, Type a) {
    const auto when = [](bool fits, Type result) { return fits ? std::optional(result) : std::nullopt; };
    switch (op) {
        case UnaryOp::negate: return when(is_signed_integer(a) || is_float(a), a);
        case UnaryOp::logical_not: return when(a == Type::boolean, a);
        case UnaryOp::bit_not: return when(is_integer(a), a);
        case UnaryOp::absolute:
            if (is_signed_integer(a)) { return to_unsigned(a); }
            return when(is_float(a), a);
    }
    ENSURE(false, "a unary operator without a type");
    return std::nullopt;
}

std::optional<Type> result_type(BinaryOp op, Type a, Type b) {
    if (a != b) { return std::nullopt; }
    const auto when = [](bool fits, Type result) { return fits ? std::optional(result) : std::nullopt; };
    switch (op) {
        case BinaryOp::add:
        case BinaryOp::sub:
        case BinaryOp::mul:
        case BinaryOp::div:
        case BinaryOp::mod:
        case BinaryOp::min:
        case BinaryOp::max: return when(a != Type::boolean, a);
        case BinaryOp::eq:
        case BinaryOp::ne: return Type::boolean;
        case BinaryOp::lt:
        case BinaryOp::le:
        case BinaryOp::gt:
        case BinaryOp::ge: return when(a != Type::boolean, Type::boolean);
        case BinaryOp::logical_and:
        case BinaryOp::logical_or: return when(a == Type::boolean, a);
        case BinaryOp::bit_and:
        case BinaryOp::bit_or:
        case BinaryOp::bit_xor:
        case BinaryOp::shift_left:
        case BinaryOp::shift_right: return when(is_integer(a), a);
    }
    ENSURE(false, "a binary operator without a type");
    return std::nullopt;
}

bool is_total(UnaryOp op, Type operand) { return op != UnaryOp::negate || !overflow_is_undefined(operand); }

bool is_total(BinaryOp op, Type operand) {
    switch (op) {
        case BinaryOp::add:
        case BinaryOp::sub:
        case BinaryOp::mul:
        case BinaryOp::div: return !overflow_is_undefined(operand);
        case BinaryOp::min:
        case BinaryOp::max: return !is_float(operand);
        case BinaryOp::shift_left:
        case BinaryOp::shift_right: return false;
        case BinaryOp::mod:
        case BinaryOp::eq:
        case BinaryOp::ne:
        case BinaryOp::lt:
        case BinaryOp::le:
        case BinaryOp::gt:
        case BinaryOp::ge:
        case BinaryOp::logical_and:
        case BinaryOp::logical_or:
        case BinaryOp::bit_and:
        case BinaryOp::bit_or:
        case BinaryOp::bit_xor: return true;
    }
    ENSURE(false, "a binary operator that is not handled");
    return false;
}

bool is_total_cast(Type from, Type to) {
    if (is_float(from)) { return is_float(to) || to == Type::boolean; }
    if (!overflow_is_undefined(to) || from == Type::boolean) { return true; }
    return bits(from) < bits(to) || (bits(from) == bits(to) && is_signed_integer(from));
}

bool is_commutative(BinaryOp op, Type operand, bool exact_reals) {
    switch (op) {
        case BinaryOp::add:
        case BinaryOp::mul:
        case BinaryOp::eq:
        case BinaryOp::ne:
        case BinaryOp::logical_and:
        case BinaryOp::logical_or:
        case BinaryOp::bit_and:
        case BinaryOp::bit_or:
        case BinaryOp::bit_xor: return true;
        case BinaryOp::min:
        case BinaryOp::max: return !is_float(operand) || exact_reals;
        case BinaryOp::sub:
        case BinaryOp::div:
        case BinaryOp::mod:
        case BinaryOp::lt:
        case BinaryOp::le:
        case BinaryOp::gt:
        case BinaryOp::ge:
        case BinaryOp::shift_left:
        case BinaryOp::shift_right: return false;
    }
    ENSURE(false, "a binary operator that is not handled");
    return false;
}

bool is_associative(BinaryOp op, Type operand, bool exact_reals) {
    switch (op) {
        case BinaryOp::add:
        case BinaryOp::mul: return is_float(operand) ? exact_reals : !overflow_is_undefined(operand);
        case BinaryOp::min:
        case BinaryOp::max: return !is_float(operand) || exact_reals;
        case BinaryOp::logical_and:
        case BinaryOp::logical_or:
        case BinaryOp::bit_and:
        case BinaryOp::bit_or:
        case BinaryOp::bit_xor: return true;
        default: return false;
    }
}

Value apply(UnaryOp op, const Value& a) {
    const auto type = result_type(op, a.type());
    ENSURE(type, "the operand's type does not fit the operator " + std::string(spelling(op)));
    if (auto state = inherited(*type, {&a})) { return *state; }
    if (a.type() == Type::f32) { return apply_to_float(op, static_cast<float>(a.as_double())); }
    if (a.type() == Type::f64) { return apply_to_float(op, a.as_double()); }
    const Int128 v = exact(a);
    switch (op) {
        case UnaryOp::negate: return wrap_or_undef(*type, -v);
        case UnaryOp::logical_not: return Value::boolean(v == 0);
        case UnaryOp::bit_not: return wrap(*type, ~v);
        // IROperator.h: "abs of a signed integer returns an unsigned integer of the same bit width. This means that
        // abs of the most negative integer doesn't overflow."
        case UnaryOp::absolute: return wrap(*type, v < 0 ? -v : v);
    }
    ENSURE(false, "a unary operator that is not handled");
    return Value::undef(*type);
}

Value apply(BinaryOp op, const Value& a, const Value& b) {
    const auto type = result_type(op, a.type(), b.type());
    ENSURE(type, "the operands' types do not fit the operator " + std::string(spelling(op)));
    if (is_decided_by_one(op, a, b)) { return Value::boolean(op == BinaryOp::logical_or); }
    if (auto state = inherited(*type, {&a, &b})) { return *state; }
    if (a.type() == Type::f32) {
        return apply_to_floats(op, static_cast<float>(a.as_double()), static_cast<float>(b.as_double()));
    }
    if (a.type() == Type::f64) { return apply_to_floats(op, a.as_double(), b.as_double()); }
    return apply_to_integers(op, a, b);
}

// IROperator.h: "similar to the ternary operator in C, except that it always evaluates all arguments".
Value select(const Value& condition, const Value& if_true, const Value& if_false) {
    ENSURE(condition.type() == Type::boolean && if_true.type() == if_false.type(),
           "select needs a bool and two arms of one type");
    if (condition.is_undef() || if_true.is_undef() || if_false.is_undef()) { return Value::undef(if_true.type()); }
    if (condition.is_uninit()) { return if_true == if_false ? if_true : Value::uninit(if_true.type()); }
    return condition.as_bool() ? if_true : if_false;
}

Value cast(Type to, const Value& a) {
    if (a.type() == to) { return a; }
    if (auto state = inherited(to, {&a})) { return *state; }
    if (to == Type::boolean) {
        return is_float(a.type()) ? Value::boolean(a.as_double() != 0) : Value::boolean(a.bit_pattern() != 0);
    }
    if (is_float(a.type())) {
        if (to == Type::f32) { return Value::f32(static_cast<float>(a.as_double())); }
        if (to == Type::f64) { return Value::f64(a.as_double()); }
        return float_to_integer(to, a.as_double());
    }
    if (to == Type::f32) { return integer_to_float<float>(a); }
    if (to == Type::f64) { return integer_to_float<double>(a); }
    // CodeGen_LLVM.cpp truncates, but Bounds.cpp and Simplify_Cast.cpp "assume that it won't overflow. Signed 32-bit
    // integer overflow is undefined." when the target is int32 or int64.
    return wrap_or_undef(to, exact(a));
}

namespace {

// Whether the operation on finite numbers rounds. Results that are too small for the error to be a number count as
// rounded.
bool rounds(BinaryOp op, double a, double b, double result) {
    constexpr double least = 0x1p-100;
    switch (op) {
        case BinaryOp::add:
        case BinaryOp::sub: {
            const double c = op == BinaryOp::add ? b : -b, sum = a + c, of_c = sum - a;
            const double lost = (a - (sum - of_c)) + (c - of_c);
            return lost != 0 || sum != result;
        }
        case BinaryOp::mul: return std::fma(a, b, -result) != 0 || (a != 0 && b != 0 && std::abs(result) < least);
        case BinaryOp::div: return b == 0 || std::fma(result, b, -a) != 0 || (a != 0 && std::abs(a) < least);
        case BinaryOp::mod: {
            if (b == 0) { return true; }
            // Exact, with the dividend's sign.
            const double rest = std::fmod(a, b);
            const bool is_turned = rest != 0 && (rest < 0) != (b < 0);
            return is_turned ? rounds(BinaryOp::add, rest, b, result) : rest != result;
        }
        default: return false;
    }
}

}  // namespace

std::optional<Value> apply_exactly(BinaryOp op, const Value& a, const Value& b) {
    const Value result = apply(op, a, b);
    if (!is_float(result.type()) || op == BinaryOp::min || op == BinaryOp::max) { return result; }
    if (!a.is_defined() || !b.is_defined()) { return result; }
    const double x = a.as_double(), y = b.as_double(), z = result.as_double();
    const bool are_numbers = std::isfinite(x) && std::isfinite(y) && std::isfinite(z);
    return are_numbers && !rounds(op, x, y, z) ? std::optional(result) : std::nullopt;
}

std::optional<Value> cast_exactly(Type to, const Value& a) {
    const Value result = cast(to, a);
    if (!is_float(to) || !a.is_defined() || a.type() == to) { return result; }
    const bool is_same = std::isfinite(result.as_double()) && cast(a.type(), result) == a;
    return is_same ? std::optional(result) : std::nullopt;
}

BinaryOp binary_op(ReductionOp op) {
    switch (op) {
        case ReductionOp::sum: return BinaryOp::add;
        case ReductionOp::prod: return BinaryOp::mul;
        case ReductionOp::min: return BinaryOp::min;
        case ReductionOp::max: return BinaryOp::max;
        case ReductionOp::logical_and: return BinaryOp::logical_and;
        case ReductionOp::logical_or: return BinaryOp::logical_or;
    }
    ENSURE(false, "a reduction without an operator");
    return BinaryOp::add;
}

std::optional<Value> neutral(ReductionOp op, Type type) {
    if (!result_type(binary_op(op), type, type)) { return std::nullopt; }
    switch (op) {
        case ReductionOp::sum: return Value::integer(type, 0);
        case ReductionOp::prod: return Value::integer(type, 1);
        case ReductionOp::logical_and: return Value::boolean(true);
        case ReductionOp::logical_or: return Value::boolean(false);
        case ReductionOp::min:
        case ReductionOp::max: break;
    }
    const bool largest = op == ReductionOp::min;
    const double infinity = std::numeric_limits<double>::infinity();
    if (is_float(type)) { return cast(type, Value::f64(largest ? infinity : -infinity)); }
    // The largest value has all bits set but the sign's; the smallest is its complement.
    const std::uint64_t sign = is_signed_integer(type) ? std::uint64_t{1} << static_cast<unsigned>(bits(type) - 1) : 0;
    return Value::from_bits(type, largest ? ~sign : sign);
}

}  // namespace haruspex::value
