#include "oracle/smt/bit_vectors.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "generators/base/ensure.h"
#include "oracle/smt/smtlib.h"

namespace haruspex::smt {
namespace {

using value::BinaryOp;
using value::bits;
using value::is_signed_integer;
using value::overflow_is_undefined;
using value::Type;
using value::UnaryOp;

std::string literal(Type type, std::int64_t v) {
    const auto unused = static_cast<unsigned>(64 - bits(type));
    return bit_vector(bits(type), (static_cast<std::uint64_t>(v) << unused) >> unused);
}

// `a` with `more` leading bits that preserve its value.
std::string extended(Type type, int more, const std::string& a) {
    if (more == 0) { return a; }
    return sexpr(
        std::string(is_signed_integer(type) ? "(_ sign_extend " : "(_ zero_extend ") + std::to_string(more) + ")", a);
}

std::string low_bits(int width, const std::string& a) {
    return sexpr("(_ extract " + std::to_string(width - 1) + " 0)", a);
}

// Whether the exact result, which the operation with `more` additional bits gives, needs these bits.
std::string overflows(std::string_view operation, Type type, int more, const std::string& a, const std::string& b) {
    const std::string wide = sexpr(operation, extended(type, more, a), extended(type, more, b));
    return negation(sexpr("=", wide, extended(type, more, low_bits(bits(type), wide))));
}

Computed wrapping_or_undef(std::string_view operation, Type type, int more, const std::string& a,
                           const std::string& b) {
    return {sexpr(operation, a, b), overflow_is_undefined(type) ? overflows(operation, type, more, a, b) : "false"};
}

// The number of bits beyond the type's own that a product with the literal needs.
int product_bits(Type type, const std::optional<value::Value>& literal_b) {
    if (!literal_b || !literal_b->is_defined()) { return bits(type); }
    const std::int64_t b = literal_b->as_signed();
    const auto magnitude = b < 0 ? 0 - static_cast<std::uint64_t>(b) : static_cast<std::uint64_t>(b);
    return std::min(bits(type), static_cast<int>(std::bit_width(magnitude)) + 1);
}

std::string negative(Type type, const std::string& a) { return sexpr("bvslt", a, literal(type, 0)); }

// bvsdiv and bvsrem round towards zero; a negative remainder is corrected by one divisor.
Computed euclidean(BinaryOp op, Type type, const std::string& a, const std::string& b) {
    const std::string zero = literal(type, 0);
    const std::string by_zero = sexpr("=", b, zero);
    if (!is_signed_integer(type)) {
        return {if_then_else(by_zero, zero, sexpr(op == BinaryOp::div ? "bvudiv" : "bvurem", a, b))};
    }
    const std::string remainder = sexpr("bvsrem", a, b);
    const auto mended = [&](const std::string& plain, const std::string& b_negative, const std::string& b_positive) {
        return if_then_else(
            by_zero, zero,
            if_then_else(negative(type, remainder), if_then_else(negative(type, b), b_negative, b_positive), plain));
    };
    if (op == BinaryOp::mod) { return {mended(remainder, sexpr("bvsub", remainder, b), sexpr("bvadd", remainder, b))}; }
    const std::string quotient = sexpr("bvsdiv", a, b);
    const std::string one = literal(type, 1);
    const std::string least = bit_vector(bits(type), std::uint64_t{1} << static_cast<unsigned>(bits(type) - 1));
    return {
        mended(quotient, sexpr("bvadd", quotient, one), sexpr("bvsub", quotient, one)),
        overflow_is_undefined(type) ? conjunction({sexpr("=", a, least), sexpr("=", b, literal(type, -1))}) : "false"};
}

Computed shift(BinaryOp op, Type type, const std::string& a, const std::string& b) {
    const bool is_signed = is_signed_integer(type);
    const std::string b_negative = is_signed ? negative(type, b) : "false";
    const std::string distance = if_then_else(b_negative, sexpr("bvneg", b), b);
    const std::string leftward = op == BinaryOp::shift_left ? negation(b_negative) : b_negative;
    const std::string_view rightward = is_signed ? "bvashr" : "bvlshr";
    const std::string left = sexpr("bvshl", a, distance);
    const std::string too_far = sexpr("bvuge", distance, literal(type, bits(type)));
    const std::string overflow = overflow_is_undefined(type)
                                     ? conjunction({leftward, negation(sexpr("=", sexpr("bvashr", left, distance), a))})
                                     : "false";
    return {if_then_else(leftward, left, sexpr(rightward, a, distance)), disjunction({too_far, overflow})};
}

}  // namespace

bool always_fits(Type from, Type to) {
    if (is_signed_integer(from)) { return is_signed_integer(to) && bits(from) <= bits(to); }
    return is_signed_integer(to) ? bits(from) < bits(to) : bits(from) <= bits(to);
}

Computed bit_vector_unary(UnaryOp op, Type type, const std::string& a) {
    switch (op) {
        case UnaryOp::negate: {
            const std::string least = bit_vector(bits(type), std::uint64_t{1} << static_cast<unsigned>(bits(type) - 1));
            return {sexpr("bvneg", a), overflow_is_undefined(type) ? sexpr("=", a, least) : "false"};
        }
        case UnaryOp::bit_not: return {sexpr("bvnot", a)};
        case UnaryOp::absolute: return {if_then_else(negative(type, a), sexpr("bvneg", a), a)};
        case UnaryOp::logical_not: break;
    }
    ENSURE(false, "an operator that integers do not have");
    return {};
}

Computed bit_vector_binary(BinaryOp op, Type type, const std::string& a, const std::string& b,
                           const std::optional<value::Value>& literal_b) {
    const auto order = [&](std::string_view relation) {
        return sexpr(std::string(is_signed_integer(type) ? "bvs" : "bvu") + std::string(relation), a, b);
    };
    switch (op) {
        case BinaryOp::add: return wrapping_or_undef("bvadd", type, 1, a, b);
        case BinaryOp::sub: return wrapping_or_undef("bvsub", type, 1, a, b);
        case BinaryOp::mul:
            return wrapping_or_undef("bvmul", type, overflow_is_undefined(type) ? product_bits(type, literal_b) : 0, a,
                                     b);
        case BinaryOp::div:
        case BinaryOp::mod: return euclidean(op, type, a, b);
        case BinaryOp::min: return {if_then_else(order("lt"), a, b)};
        case BinaryOp::max: return {if_then_else(order("gt"), a, b)};
        case BinaryOp::eq: return {sexpr("=", a, b)};
        case BinaryOp::ne: return {negation(sexpr("=", a, b))};
        case BinaryOp::lt: return {order("lt")};
        case BinaryOp::le: return {order("le")};
        case BinaryOp::gt: return {order("gt")};
        case BinaryOp::ge: return {order("ge")};
        case BinaryOp::bit_and: return {sexpr("bvand", a, b)};
        case BinaryOp::bit_or: return {sexpr("bvor", a, b)};
        case BinaryOp::bit_xor: return {sexpr("bvxor", a, b)};
        case BinaryOp::shift_left:
        case BinaryOp::shift_right: return shift(op, type, a, b);
        case BinaryOp::logical_and:
        case BinaryOp::logical_or: break;
    }
    ENSURE(false, "an operator that integers do not have");
    return {};
}

Computed bit_vector_cast(Type from, Type to, const std::string& a) {
    if (to == Type::boolean) { return {negation(sexpr("=", a, literal(from, 0)))}; }
    if (from == Type::boolean) { return {if_then_else(a, literal(to, 1), literal(to, 0))}; }
    const int more = bits(to) - bits(from);
    const std::string value = more >= 0 ? extended(from, more, a) : low_bits(bits(to), a);
    if (!overflow_is_undefined(to) || always_fits(from, to)) { return {value}; }
    // Both as integers with one bit more than the wider one has.
    const int width = std::max(bits(from), bits(to)) + 1;
    return {value, negation(sexpr("=", extended(to, width - bits(to), value), extended(from, width - bits(from), a)))};
}

std::string integer_of_bits(Type type, const std::string& bits) {
    std::vector<std::string> terms;
    const int width = value::bits(type);
    for (int i = 0; i < width; ++i) {
        const std::string weight = power_of_two(i);
        const bool is_sign = i == width - 1 && is_signed_integer(type);
        terms.push_back(if_then_else(bit_extract(bits, i), is_sign ? sexpr("-", weight) : weight, "0"));
    }
    return sexpr("+", terms);
}

}  // namespace haruspex::smt
