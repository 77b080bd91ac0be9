#pragma once

#include <cstdint>
#include <limits>

#include "generators/value/value.h"

// Indices and conditions of SCHED at run time: 64-bit integers, or the reason why there is no value, such as a
// mathematical integer that does not fit.
namespace haruspex::interp::loops {

// The reason why an index or condition has no value. The greater of two operands' flaws propagates. A flaw is harmless
// until an access, a bound, a branch or an assertion depends on it.
enum class Flaw : std::uint8_t { none, uninit, overflow, undef };

// A condition is 0 or 1.
struct Number {
    std::int64_t value = 0;
    Flaw flaw = Flaw::none;
    bool operator==(const Number&) const = default;
};

enum class Arithmetic : std::uint8_t { add, sub, mul, div, mod, min, max, lt, le, eq, ne, gt, ge, both, either };

// Division and modulo are Euclidean; by zero they give zero.
inline std::int64_t euclidean_mod(std::int64_t a, std::int64_t b) {
    // The remainder by -1 is 0, but the machine's division overflows on the most negative integer.
    if (b == 0 || b == -1) { return 0; }
    const std::int64_t remainder = a % b;
    if (remainder >= 0) { return remainder; }
    // Negating the most negative divisor would overflow; subtracting it does not.
    return b < 0 ? remainder - b : remainder + b;
}

inline Number euclidean_div(std::int64_t a, std::int64_t b) {
    if (b == 0) { return {}; }
    if (b == -1) {
        if (a == std::numeric_limits<std::int64_t>::min()) { return {0, Flaw::overflow}; }
        return {-a};
    }
    const std::int64_t quotient = a / b;
    if (a % b >= 0) { return {quotient}; }
    return {b > 0 ? quotient - 1 : quotient + 1};
}

inline Number compute(Arithmetic op, Number a, Number b) {
    if (a.flaw != Flaw::none || b.flaw != Flaw::none) [[unlikely]] { return {0, a.flaw > b.flaw ? a.flaw : b.flaw}; }
    std::int64_t result = 0;
    bool overflows = false;
    switch (op) {
        case Arithmetic::add: overflows = __builtin_add_overflow(a.value, b.value, &result); break;
        case Arithmetic::sub: overflows = __builtin_sub_overflow(a.value, b.value, &result); break;
        case Arithmetic::mul: overflows = __builtin_mul_overflow(a.value, b.value, &result); break;
        case Arithmetic::div: return euclidean_div(a.value, b.value);
        case Arithmetic::mod: return {euclidean_mod(a.value, b.value)};
        case Arithmetic::min: return {a.value < b.value ? a.value : b.value};
        case Arithmetic::max: return {a.value > b.value ? a.value : b.value};
        case Arithmetic::lt: return {a.value < b.value};
        case Arithmetic::le: return {a.value <= b.value};
        case Arithmetic::eq: return {a.value == b.value};
        case Arithmetic::ne: return {a.value != b.value};
        case Arithmetic::gt: return {a.value > b.value};
        case Arithmetic::ge: return {a.value >= b.value};
        case Arithmetic::both: return {a.value & b.value};
        case Arithmetic::either: return {a.value | b.value};
    }
    return overflows ? Number{0, Flaw::overflow} : Number{result};
}

// A sum of products, evaluated exactly: it has fewer than 2^31 terms, and its coefficients are smaller than that, so no
// intermediate result leaves 128 bits.
class LinearSum {
public:
    explicit LinearSum(std::int64_t constant) : sum_(constant) {}
    void add(std::int64_t coefficient, Number n) {
        sum_ += static_cast<value::Int128>(coefficient) * n.value;
        flaw_ = flaw_ > n.flaw ? flaw_ : n.flaw;
    }
    Number result() const {
        const auto narrow = static_cast<std::int64_t>(sum_);
        if (flaw_ == Flaw::none && narrow == sum_) [[likely]] { return {narrow}; }
        return {0, flaw_ > Flaw::none ? flaw_ : Flaw::overflow};
    }

private:
    value::Int128 sum_;
    Flaw flaw_ = Flaw::none;
};

inline Number negate_condition(Number a) { return a.flaw == Flaw::none ? Number{a.value == 0} : a; }

// Both arms are evaluated, as in value::select: Flaw::undef in an arm spoils the result even if the arm is not chosen,
// any other flaw only if it is.
inline Number choose(Number condition, Number if_true, Number if_false) {
    if (condition.flaw == Flaw::undef || if_true.flaw == Flaw::undef || if_false.flaw == Flaw::undef) {
        return {0, Flaw::undef};
    }
    if (condition.flaw != Flaw::none) { return if_true == if_false ? if_true : Number{0, condition.flaw}; }
    return condition.value != 0 ? if_true : if_false;
}

// The integer, or the truth, that a value of an integer type or of bool denotes.
inline Number denoted(const value::Value& v) {
    if (v.is_undef()) { return {0, Flaw::undef}; }
    if (v.is_uninit()) { return {0, Flaw::uninit}; }
    if (value::is_signed_integer(v.type())) { return {v.as_signed()}; }
    const std::uint64_t bits = v.bit_pattern();
    if (bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) { return {0, Flaw::overflow}; }
    return {static_cast<std::int64_t>(bits)};
}

}  // namespace haruspex::interp::loops
