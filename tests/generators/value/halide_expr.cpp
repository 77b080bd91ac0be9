#include "tests/generators/value/halide_expr.h"

namespace haruspex::value {

Halide::Type halide_type(Type type) {
    if (type == Type::boolean) { return Halide::Bool(); }
    if (is_float(type)) { return Halide::Float(bits(type)); }
    return is_signed_integer(type) ? Halide::Int(bits(type)) : Halide::UInt(bits(type));
}

Halide::Expr halide_constant(const Value& value) {
    const Halide::Type type = halide_type(value.type());
    if (is_float(value.type())) { return Halide::Internal::FloatImm::make(type, value.as_double()); }
    if (is_signed_integer(value.type())) { return Halide::Internal::IntImm::make(type, value.as_signed()); }
    return Halide::Internal::UIntImm::make(type, value.bit_pattern());
}

std::optional<Value> constant_value(Type type, const Halide::Expr& e) {
    ENSURE(e.type() == halide_type(type), "the expression has the type that the operator gives");
    if (const auto* i = e.as<Halide::Internal::IntImm>()) { return Value::integer(type, i->value); }
    if (const auto* u = e.as<Halide::Internal::UIntImm>()) { return Value::from_bits(type, u->value); }
    if (const auto* f = e.as<Halide::Internal::FloatImm>()) {
        return type == Type::f32 ? Value::f32(static_cast<float>(f->value)) : Value::f64(f->value);
    }
    return std::nullopt;
}

Halide::Expr halide_apply(UnaryOp op, const Halide::Expr& a) {
    switch (op) {
        case UnaryOp::negate: return -a;
        case UnaryOp::logical_not: return !a;
        case UnaryOp::bit_not: return ~a;
        case UnaryOp::absolute: return Halide::abs(a);
    }
    ENSURE(false, "a unary operator that Halide lacks");
    return a;
}

Halide::Expr halide_apply(BinaryOp op, const Halide::Expr& a, const Halide::Expr& b) {
    switch (op) {
        case BinaryOp::add: return a + b;
        case BinaryOp::sub: return a - b;
        case BinaryOp::mul: return a * b;
        case BinaryOp::div: return a / b;
        case BinaryOp::mod: return a % b;
        case BinaryOp::min: return Halide::min(a, b);
        case BinaryOp::max: return Halide::max(a, b);
        case BinaryOp::eq: return a == b;
        case BinaryOp::ne: return a != b;
        case BinaryOp::lt: return a < b;
        case BinaryOp::le: return a <= b;
        case BinaryOp::gt: return a > b;
        case BinaryOp::ge: return a >= b;
        case BinaryOp::logical_and: return a && b;
        case BinaryOp::logical_or: return a || b;
        case BinaryOp::bit_and: return a & b;
        case BinaryOp::bit_or: return a | b;
        case BinaryOp::bit_xor: return a ^ b;
        case BinaryOp::shift_left: return a << b;
        case BinaryOp::shift_right: return a >> b;
    }
    ENSURE(false, "a binary operator that Halide lacks");
    return a;
}

Halide::Expr halide_cast(Type to, const Halide::Expr& a) {
    if (to == Type::boolean && !a.type().is_bool()) { return a != Halide::Internal::make_zero(a.type()); }
    return Halide::Internal::Cast::make(halide_type(to), a);
}

}  // namespace haruspex::value
