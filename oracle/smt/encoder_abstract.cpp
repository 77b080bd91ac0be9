#include <array>
#include <string_view>

#include "generators/base/ensure.h"
#include "oracle/smt/encoder.h"
#include "oracle/smt/smtlib.h"

// Operations as uninterpreted functions (encoder.h).
namespace haruspex::smt {

using value::BinaryOp;
using value::is_float;
using value::is_integer;
using value::Type;
using value::UnaryOp;
using value::Value;

namespace {

std::string_view word(UnaryOp op) {
    switch (op) {
        case UnaryOp::negate: return "negate";
        case UnaryOp::logical_not: return "not";
        case UnaryOp::bit_not: return "bit_not";
        case UnaryOp::absolute: return "abs";
    }
    ENSURE(false, "a unary operator without a name");
    return {};
}

std::string_view word(BinaryOp op) {
    static constexpr std::array<std::string_view, value::all_binary_ops.size()> words{
        "add", "sub", "mul", "div", "mod", "min",     "max",    "eq",      "ne",         "lt",
        "le",  "gt",  "ge",  "and", "or",  "bit_and", "bit_or", "bit_xor", "shift_left", "shift_right"};
    return words.at(static_cast<std::size_t>(op));
}

}  // namespace

bool commutes(BinaryOp op, Type type, Floats floats) {
    const bool has_one_zero = floats == Floats::real && (op == BinaryOp::min || op == BinaryOp::max);
    return has_one_zero || value::is_commutative(op, type);
}

std::string Encoder::uninterpreted(const std::string& name, const std::string& result_sort,
                                   const std::vector<Encoded*>& operands, bool commutes) {
    std::vector<std::string> values;
    std::string sorts;
    for (Encoded* operand : operands) {
        values.push_back(value_of(*operand));
        sorts += (sorts.empty() ? "" : " ") + sort(operand->type);
    }
    declare(name, "(" + sorts + ") " + result_sort);
    const std::string application = sexpr(name, values);
    if (commutes) {
        // Congruence extends this instance to all applications with equal operands: it is all the commutativity that is
        // needed, without a quantifier.
        assert_that(sexpr("=", application, sexpr(name, values.at(1), values.at(0))));
    }
    return application;
}

Encoder::Encoded Encoder::abstract_unary(UnaryOp op, Encoded& a) {
    if (a.literal) { return encode_literal({value::apply(op, *a.literal)}); }
    if (op == UnaryOp::negate && is_float(a.type)) {
        // It is defined as that difference.
        Encoded zero = encode_literal({Value::integer(a.type, 0)});
        zero.type = a.type;
        return abstract_binary(BinaryOp::sub, zero, a);
    }
    const std::string name = std::string(word(op)) + "_" + std::string(value::name(a.type));
    Encoded e;
    e.value = uninterpreted(name, sort(*value::result_type(op, a.type)), {&a}, false);
    if (!value::is_total(op, a.type)) { e.undef = uninterpreted(name + "_undef", "Bool", {&a}, false); }
    return e;
}

Encoder::Encoded Encoder::abstract_binary(BinaryOp op, Encoded& a, Encoded& b) {
    if (a.literal && b.literal) {
        // Facts that hold only for IEEE floats are used only for them.
        const auto result = query_.floats == Floats::ieee ? value::apply(op, *a.literal, *b.literal)
                                                          : value::apply_exactly(op, *a.literal, *b.literal);
        if (result) { return encode_literal({*result}); }
    }
    if (op == BinaryOp::gt) { return abstract_binary(BinaryOp::lt, b, a); }
    if (op == BinaryOp::ge) { return abstract_binary(BinaryOp::le, b, a); }
    Encoded e;
    if (op == BinaryOp::ne) {
        e = abstract_binary(BinaryOp::eq, a, b);
        e.value = negation(e.value);
        return e;
    }
    if (op == BinaryOp::eq && is_integer(a.type)) {
        e.value = sexpr("=", value_of(a), value_of(b));
        return e;
    }
    const std::string name = std::string(word(op)) + "_" + std::string(value::name(a.type));
    const bool commuting = commutes(op, a.type, query_.floats);
    e.value = uninterpreted(name, sort(*value::result_type(op, a.type, b.type)), {&a, &b}, commuting);
    if (!value::is_total(op, a.type)) {
        // Also where the values differ in sign, min and max are Undef for the same reason on either side.
        const bool symmetric = commuting || op == BinaryOp::min || op == BinaryOp::max;
        e.undef = uninterpreted(name + "_undef", "Bool", {&a, &b}, symmetric);
    }
    return e;
}

Encoder::Encoded Encoder::abstract_cast(Type to, Encoded& a) {
    if (a.literal) {
        const auto result =
            query_.floats == Floats::ieee ? value::cast(to, *a.literal) : value::cast_exactly(to, *a.literal);
        if (result) { return encode_literal({*result}); }
    }
    Encoded e;
    if (a.type == Type::boolean) {
        e.value = if_then_else(a.value, literal_text(Value::integer(to, 1)), literal_text(Value::integer(to, 0)));
        return e;
    }
    if (to == Type::boolean) {
        Encoded zero = encode_literal({Value::integer(a.type, 0)});
        zero.type = a.type;
        return abstract_binary(BinaryOp::ne, a, zero);
    }
    const std::string name = "cast_" + std::string(value::name(a.type)) + "_" + std::string(value::name(to));
    e.value = uninterpreted(name, sort(to), {&a}, false);
    if (!value::is_total_cast(a.type, to)) { e.undef = uninterpreted(name + "_undef", "Bool", {&a}, false); }
    return e;
}

// --- Floats of which special values and signs are known (abstract_floats.h)

AbstractFloats::Operand Encoder::abstract_operand(Encoded& e) { return {e.type, value_of(e), e.sum}; }

Encoder::Encoded Encoder::abstract_float_unary(UnaryOp op, Encoded& a) {
    if (a.literal) { return encode_literal({value::apply(op, *a.literal)}); }
    AbstractFloats::Operation made = floats_->unary(op, abstract_operand(a), number_);
    Encoded e;
    e.value = std::move(made.computed.value);
    e.sum = std::move(made.sum);
    return e;
}

Encoder::Encoded Encoder::abstract_float_binary(BinaryOp op, Encoded& a, Encoded& b) {
    if (a.literal && b.literal) {
        if (const auto result = value::apply_exactly(op, *a.literal, *b.literal)) { return encode_literal({*result}); }
    }
    AbstractFloats::Operation made = floats_->binary(op, abstract_operand(a), abstract_operand(b), number_);
    Encoded e;
    e.value = std::move(made.computed.value);
    e.undef = std::move(made.computed.undef);
    e.sum = std::move(made.sum);
    return e;
}

Encoder::Encoded Encoder::abstract_float_cast(Type to, Encoded& a) {
    if (a.literal) {
        if (const auto result = value::cast_exactly(to, *a.literal)) { return encode_literal({*result}); }
    }
    Computed made = floats_->cast(to, abstract_operand(a), number_);
    Encoded e;
    e.value = std::move(made.value);
    e.undef = std::move(made.undef);
    return e;
}

}  // namespace haruspex::smt
