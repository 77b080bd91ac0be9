#include <utility>

#include "generators/base/ensure.h"
#include "oracle/smt/encoder.h"
#include "oracle/smt/smtlib.h"

// Operations on integers that are computed from indices (encoder.h).
namespace haruspex::smt {

using value::BinaryOp;
using value::Int128;
using value::is_integer;
using value::is_signed_integer;
using value::Type;
using value::UnaryOp;
using value::Value;

namespace {

Int128 integer_value(const Value& literal) {
    if (is_signed_integer(literal.type())) { return literal.as_signed(); }
    return static_cast<Int128>(literal.bit_pattern());
}

}  // namespace

std::string Encoder::fits(Type type, const std::string& integer) {
    const Int128 one = 1;
    const int width = value::bits(type);
    const Int128 low = is_signed_integer(type) ? -(one << (width - 1)) : 0;
    const Int128 high = (is_signed_integer(type) ? one << (width - 1) : one << width) - 1;
    return conjunction({sexpr("<=", numeral(low), integer), sexpr("<=", integer, numeral(high))});
}

Encoder::Encoded Encoder::of_integer(Type type, const std::string& integer) {
    Encoded e;
    e.image = Image{integer, value::overflow_is_undefined(type)};
    if (value::overflow_is_undefined(type)) { e.undef = negation(fits(type, integer)); }
    return e;
}

Encoder::Image Encoder::image_of(const Encoded& e) {
    return e.image ? *e.image : Image{numeral(integer_value(*e.literal)), true};
}

std::string Encoder::integer_of(Encoded& e) {
    if (!has_image(e)) { return integer_of_bits(e.type, value_of(e)); }
    Image image = image_of(e);
    if (image.exact) { return std::move(image.integer); }
    // The case without wrapping is separate: Z3 does not find out by itself that a modulus of 2^32 has no effect there.
    const std::string modulus = power_of_two(value::bits(e.type));
    const std::string half = power_of_two(value::bits(e.type) - 1);
    const std::string wrapped = is_signed_integer(e.type)
                                    ? sexpr("-", sexpr("mod", sexpr("+", image.integer, half), modulus), half)
                                    : sexpr("mod", image.integer, modulus);
    return if_then_else(fits(e.type, image.integer), image.integer, wrapped);
}

std::optional<Encoder::Encoded> Encoder::image_unary(UnaryOp op, Encoded& a) {
    if (!a.image) { return std::nullopt; }
    Encoded e;
    switch (op) {
        case UnaryOp::negate: return of_integer(a.type, sexpr("-", a.image->integer));
        case UnaryOp::bit_not:
            e.image = Image{sexpr("-", "(- 1)", a.image->integer), a.image->exact && is_signed_integer(a.type)};
            return e;
        case UnaryOp::absolute: {
            const std::string integer = integer_of(a);
            e.image = Image{if_then_else(sexpr("<", integer, "0"), sexpr("-", integer), integer), true};
            return e;
        }
        case UnaryOp::logical_not: break;
    }
    ENSURE(false, "an operator that integers do not have");
    return std::nullopt;
}

std::optional<Encoder::Encoded> Encoder::image_binary(BinaryOp op, Encoded& a, Encoded& b) {
    if (!has_image(a) || !has_image(b) || !(a.image || b.image)) { return std::nullopt; }
    const std::string x = image_of(a).integer;
    const std::string y = image_of(b).integer;
    Encoded e;
    switch (op) {
        case BinaryOp::add: return of_integer(a.type, sexpr("+", x, y));
        case BinaryOp::sub: return of_integer(a.type, sexpr("-", x, y));
        case BinaryOp::mul:
            if (!a.literal && !b.literal) { return std::nullopt; }
            return of_integer(a.type, sexpr("*", x, y));
        case BinaryOp::div:
        case BinaryOp::mod: {
            if (!b.literal) { return std::nullopt; }
            // SMT-LIB's division by a literal is Euclidean; by zero it is unspecified.
            if (integer_value(*b.literal) == 0) {
                e.image = Image{"0", true};
                return e;
            }
            const std::string whole = sexpr(op == BinaryOp::div ? "div" : "mod", integer_of(a), y);
            // Only the quotient of the least integer by -1 leaves the type.
            if (integer_value(*b.literal) == -1) { return of_integer(a.type, whole); }
            e.image = Image{whole, true};
            return e;
        }
        case BinaryOp::min:
        case BinaryOp::max: {
            const std::string p = integer_of(a);
            const std::string q = integer_of(b);
            e.image = Image{if_then_else(sexpr(op == BinaryOp::min ? "<" : ">", p, q), p, q), true};
            return e;
        }
        case BinaryOp::eq: e.value = sexpr("=", integer_of(a), integer_of(b)); return e;
        case BinaryOp::ne: e.value = negation(sexpr("=", integer_of(a), integer_of(b))); return e;
        case BinaryOp::lt: e.value = sexpr("<", integer_of(a), integer_of(b)); return e;
        case BinaryOp::le: e.value = sexpr("<=", integer_of(a), integer_of(b)); return e;
        case BinaryOp::gt: e.value = sexpr(">", integer_of(a), integer_of(b)); return e;
        case BinaryOp::ge: e.value = sexpr(">=", integer_of(a), integer_of(b)); return e;
        default: return std::nullopt;
    }
}

}  // namespace haruspex::smt
