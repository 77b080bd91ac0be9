#include "oracle/smt/floats.h"

#include <cmath>

#include "generators/base/ensure.h"
#include "oracle/smt/smtlib.h"

namespace haruspex::smt::ieee {
namespace {

using value::BinaryOp;
using value::bits;
using value::is_float;
using value::is_signed_integer;
using value::Type;
using value::UnaryOp;

// Exponent and significand, as the indices of to_fp take them.
std::string widths(Type type) { return type == Type::f32 ? "8 24" : "11 53"; }

std::string literal(Type type, double v) {
    const value::Value exact = value::cast(type, value::Value::f64(v));
    return of_bits(type, bit_vector(bits(type), exact.bit_pattern()));
}

std::string converted(Type to, const std::string& a) { return sexpr("(_ to_fp " + widths(to) + ")", "RNE", a); }

Computed to_integer(Type from, Type to, const std::string& a) {
    // The bounds are powers of two, exact in both types; a NaN is within no bounds.
    const bool is_signed = is_signed_integer(to);
    const std::string whole = sexpr("fp.roundToIntegral", "RTZ", a);
    const std::string low = literal(from, is_signed ? -std::ldexp(1.0, bits(to) - 1) : 0.0);
    const std::string high = literal(from, std::ldexp(1.0, is_signed ? bits(to) - 1 : bits(to)));
    const std::string conversion =
        std::string(is_signed ? "(_ fp.to_sbv " : "(_ fp.to_ubv ") + std::to_string(bits(to)) + ")";
    return {sexpr(conversion, "RTZ", a),
            negation(conjunction({sexpr("fp.geq", whole, low), sexpr("fp.lt", whole, high)}))};
}

}  // namespace

std::string sort(Type type) { return "(_ FloatingPoint " + widths(type) + ")"; }

std::string of_bits(Type type, const std::string& bits) { return sexpr("(_ to_fp " + widths(type) + ")", bits); }

Computed unary(UnaryOp op, Type type, const std::string& a) {
    switch (op) {
        case UnaryOp::negate: return {sexpr("fp.sub", "RNE", literal(type, 0), a)};
        case UnaryOp::absolute: return {sexpr("fp.abs", a)};
        default: break;
    }
    ENSURE(false, "an operator that floats do not have");
    return {};
}

Computed binary(BinaryOp op, const std::string& a, const std::string& b) {
    const auto nan = [&] { return disjunction({sexpr("fp.isNaN", a), sexpr("fp.isNaN", b)}); };
    switch (op) {
        case BinaryOp::add: return {sexpr("fp.add", "RNE", a, b)};
        case BinaryOp::sub: return {sexpr("fp.sub", "RNE", a, b)};
        case BinaryOp::mul: return {sexpr("fp.mul", "RNE", a, b)};
        case BinaryOp::div: return {sexpr("fp.div", "RNE", a, b)};
        case BinaryOp::mod: {
            const std::string whole = sexpr("fp.roundToIntegral", "RTN", sexpr("fp.div", "RNE", a, b));
            return {sexpr("fp.sub", "RNE", a, sexpr("fp.mul", "RNE", b, whole))};
        }
        case BinaryOp::min: return {if_then_else(sexpr("fp.lt", a, b), a, b), nan()};
        case BinaryOp::max: return {if_then_else(sexpr("fp.gt", a, b), a, b), nan()};
        case BinaryOp::eq: return {sexpr("fp.eq", a, b)};
        case BinaryOp::ne: return {negation(sexpr("fp.eq", a, b))};
        case BinaryOp::lt: return {sexpr("fp.lt", a, b)};
        case BinaryOp::le: return {sexpr("fp.leq", a, b)};
        case BinaryOp::gt: return {sexpr("fp.gt", a, b)};
        case BinaryOp::ge: return {sexpr("fp.geq", a, b)};
        default: break;
    }
    ENSURE(false, "an operator that floats do not have");
    return {};
}

Computed cast(Type from, Type to, const std::string& a) {
    if (is_float(from)) {
        if (to == Type::boolean) { return {negation(sexpr("fp.isZero", a))}; }
        return is_float(to) ? Computed{converted(to, a)} : to_integer(from, to, a);
    }
    if (from == Type::boolean) { return {if_then_else(a, literal(to, 1), literal(to, 0))}; }
    if (is_signed_integer(from)) { return {converted(to, a)}; }
    return {sexpr("(_ to_fp_unsigned " + widths(to) + ")", "RNE", a)};
}

}  // namespace haruspex::smt::ieee

namespace haruspex::smt::real {

using value::BinaryOp;
using value::UnaryOp;

Computed unary(UnaryOp op, const std::string& a) {
    switch (op) {
        case UnaryOp::negate: return {sexpr("-", a)};
        case UnaryOp::absolute: return {if_then_else(sexpr("<", a, "0.0"), sexpr("-", a), a)};
        default: break;
    }
    ENSURE(false, "an operator that floats do not have");
    return {};
}

Computed binary(BinaryOp op, const std::string& a, const std::string& b) {
    switch (op) {
        case BinaryOp::add: return {sexpr("+", a, b)};
        case BinaryOp::sub: return {sexpr("-", a, b)};
        case BinaryOp::mul: return {sexpr("*", a, b)};
        case BinaryOp::div: return {sexpr("/", a, b)};
        case BinaryOp::mod: {
            // The remainder by zero would be NaN, which is not a real number: the result is an unspecified one.
            const std::string unknown = sexpr("to_real", sexpr("mod", "0", "0"));
            const std::string whole = sexpr("to_real", sexpr("to_int", sexpr("/", a, b)));
            return {if_then_else(sexpr("=", b, "0.0"), unknown, sexpr("-", a, sexpr("*", b, whole)))};
        }
        case BinaryOp::min: return {if_then_else(sexpr("<", a, b), a, b)};
        case BinaryOp::max: return {if_then_else(sexpr(">", a, b), a, b)};
        case BinaryOp::eq: return {sexpr("=", a, b)};
        case BinaryOp::ne: return {negation(sexpr("=", a, b))};
        case BinaryOp::lt: return {sexpr("<", a, b)};
        case BinaryOp::le: return {sexpr("<=", a, b)};
        case BinaryOp::gt: return {sexpr(">", a, b)};
        case BinaryOp::ge: return {sexpr(">=", a, b)};
        default: break;
    }
    ENSURE(false, "an operator that floats do not have");
    return {};
}

std::string truncated(const std::string& a) {
    return if_then_else(sexpr("<", a, "0.0"), sexpr("-", sexpr("to_int", sexpr("-", a))), sexpr("to_int", a));
}

}  // namespace haruspex::smt::real
