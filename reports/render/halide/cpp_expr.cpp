#include "reports/render/halide/cpp_expr.h"

#include <cmath>
#include <limits>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "reports/render/words.h"

namespace haruspex::render::halide {
namespace {

struct Operator {
    const char* spelling;
    Binding binding;
};

constexpr Operator relation_operator(sare::Relation relation) {
    switch (relation) {
        case sare::Relation::lt: return {"<", Binding::relational};
        case sare::Relation::le: return {"<=", Binding::relational};
        case sare::Relation::gt: return {">", Binding::relational};
        case sare::Relation::ge: return {">=", Binding::relational};
        case sare::Relation::eq: return {"==", Binding::equality};
        case sare::Relation::ne: return {"!=", Binding::equality};
    }
    return {"", Binding::primary};
}

// Returns the spelling of an operator; min and max are calls instead.
constexpr Operator infix_operator(value::BinaryOp op) {
    using value::BinaryOp;
    switch (op) {
        case BinaryOp::add: return {"+", Binding::sum};
        case BinaryOp::sub: return {"-", Binding::sum};
        case BinaryOp::mul: return {"*", Binding::product};
        case BinaryOp::div: return {"/", Binding::product};
        case BinaryOp::mod: return {"%", Binding::product};
        case BinaryOp::eq: return {"==", Binding::equality};
        case BinaryOp::ne: return {"!=", Binding::equality};
        case BinaryOp::lt: return {"<", Binding::relational};
        case BinaryOp::le: return {"<=", Binding::relational};
        case BinaryOp::gt: return {">", Binding::relational};
        case BinaryOp::ge: return {">=", Binding::relational};
        case BinaryOp::logical_and: return {"&&", Binding::logical_and};
        case BinaryOp::logical_or: return {"||", Binding::logical_or};
        case BinaryOp::bit_and: return {"&", Binding::bit_and};
        case BinaryOp::bit_or: return {"|", Binding::bit_or};
        case BinaryOp::bit_xor: return {"^", Binding::bit_xor};
        case BinaryOp::shift_left: return {"<<", Binding::shift};
        case BinaryOp::shift_right: return {">>", Binding::shift};
        case BinaryOp::min:
        case BinaryOp::max: break;
    }
    return {"", Binding::primary};
}

// Whether the operand needs no parentheses beside an operator. Stricter than C++ where a reader would hesitate.
bool stands_alone(const Text& operand, Operator beside, bool is_left) {
    if (operand.binding >= Binding::unary) { return true; }
    const bool chain = beside.binding == Binding::sum || beside.spelling[0] == '*' ||
                       beside.binding == Binding::logical_and || beside.binding == Binding::logical_or;
    if (operand.binding == beside.binding) { return is_left && chain; }
    const bool plain_arithmetic = operand.binding == Binding::sum || operand.binding == Binding::product;
    switch (beside.binding) {
        case Binding::sum: return operand.binding == Binding::product;
        case Binding::relational:
        case Binding::equality: return plain_arithmetic;
        case Binding::logical_and:
        case Binding::logical_or:
            return plain_arithmetic || operand.binding == Binding::relational || operand.binding == Binding::equality;
        default: return false;
    }
}

std::string operand(const Text& text, Operator beside, bool is_left) {
    return stands_alone(text, beside, is_left) ? text.text : "(" + text.text + ")";
}

Text infix(Operator op, Text a, const Text& b) {
    if (a.plain && b.plain) { a = {"Expr(" + a.text + ")", Binding::primary, false}; }
    return {operand(a, op, true) + " " + op.spelling + " " + operand(b, op, false), op.binding, false};
}

Text prefix(const char* spelling, const Text& a) {
    // Not "--a" for "- -a". A plain C++ integer is negated by C++, with the same result.
    const bool bare = a.binding == Binding::primary;
    return {spelling + (bare ? a.text : "(" + a.text + ")"), Binding::unary, false};
}

// Makes an Expr of an operand, for calls whose overload depends on the operands.
std::string as_expr(const Text& text) { return text.plain ? "Expr(" + text.text + ")" : text.text; }

Text integer(std::int64_t value) {
    return {std::to_string(value), value < 0 ? Binding::unary : Binding::primary, true};
}

template <typename Float>
std::string float_text(Float value) {
    const std::string type = sizeof(Float) == 4 ? "float" : "double";
    if (std::isnan(value)) { return "std::numeric_limits<" + type + ">::quiet_NaN()"; }
    if (std::isinf(value)) { return (value < 0 ? "-" : "") + ("std::numeric_limits<" + type + ">::infinity()"); }
    return decimal(value) + (sizeof(Float) == 4 ? "f" : "");
}

// Returns an integer literal that fits a C++ int and may stand beside an Expr of its type.
std::optional<std::string> small_integer(const sare::Expr& expr) {
    const auto* literal = std::get_if<sare::Literal>(&expr.node);
    if (literal == nullptr || !value::is_integer(literal->value.type())) { return std::nullopt; }
    const value::Value& v = literal->value;
    constexpr std::int64_t largest = 1000000;
    if (value::is_signed_integer(v.type())) {
        const std::int64_t n = v.as_signed();
        return n >= -largest && n <= largest ? std::optional(std::to_string(n)) : std::nullopt;
    }
    const std::uint64_t n = v.as_unsigned();
    return n <= static_cast<std::uint64_t>(largest) ? std::optional(std::to_string(n)) : std::nullopt;
}

// Whether Halide overloads the operator for an Expr and an int, which becomes a constant of the Expr's type.
bool takes_small_integers(value::BinaryOp op) {
    const Binding binding = infix_operator(op).binding;
    return binding == Binding::sum || binding == Binding::product || binding == Binding::relational ||
           binding == Binding::equality;
}

}  // namespace

Text call(const std::string& function, std::initializer_list<std::string> arguments) {
    std::string text = function + "(";
    const char* separator = "";
    for (const std::string& argument : arguments) {
        text += separator + argument;
        separator = ", ";
    }
    return {text + ")", Binding::primary, false};
}

Text cpp(const sare::Index& index, const Scope& scope) {
    const auto sub = [&](const sare::Index& i) { return cpp(i, scope); };
    constexpr Operator product{"*", Binding::product};
    constexpr Operator quotient{"/", Binding::product};
    constexpr Operator remainder{"%", Binding::product};
    return std::visit(Overload{
                          [](const sare::IndexConstant& c) { return integer(c.value); },
                          [&](const sare::IndexVariable& v) {
                              const auto found = scope.find(v.name);
                              ENSURE(found != scope.end(), "variable " + v.name + " is in scope");
                              return Text{found->second, Binding::primary, false};
                          },
                          [&](const sare::IndexBinary& b) {
                              const Text left = sub(*b.a);
                              const Text right = sub(*b.b);
                              switch (b.op) {
                                  case sare::IndexOp::add: return infix({"+", Binding::sum}, left, right);
                                  case sare::IndexOp::sub: return infix({"-", Binding::sum}, left, right);
                                  case sare::IndexOp::min: return call("min", {as_expr(left), as_expr(right)});
                                  case sare::IndexOp::max: return call("max", {as_expr(left), as_expr(right)});
                              }
                              ENSURE(false, "unknown index operator");
                          },
                          [&](const sare::IndexScale& s) { return infix(product, integer(s.factor), sub(*s.a)); },
                          [&](const sare::IndexDiv& d) { return infix(quotient, sub(*d.a), integer(d.divisor)); },
                          [&](const sare::IndexMod& m) { return infix(remainder, sub(*m.a), integer(m.divisor)); },
                          [&](const sare::IndexSelect& s) {
                              return call("select", {cpp(*s.condition, scope).text, as_expr(sub(*s.if_true)),
                                                     as_expr(sub(*s.if_false))});
                          },
                      },
                      index.node);
}

Text cpp(const sare::Condition& condition, const Scope& scope) {
    const auto sub = [&](const sare::Condition& c) { return cpp(c, scope); };
    return std::visit(
        Overload{
            [](const sare::Truth& t) { return Text{t.value ? "Internal::const_true()" : "Internal::const_false()"}; },
            [&](const sare::Comparison& c) {
                return infix(relation_operator(c.relation), cpp(c.a, scope), cpp(c.b, scope));
            },
            [&](const sare::And& a) { return infix({"&&", Binding::logical_and}, sub(*a.a), sub(*a.b)); },
            [&](const sare::Or& o) { return infix({"||", Binding::logical_or}, sub(*o.a), sub(*o.b)); },
            [&](const sare::Not& n) { return prefix("!", sub(*n.a)); },
        },
        condition.node);
}

std::string cpp_type(value::Type type) {
    ENSURE(type != value::Type::w32 && type != value::Type::w64, "a case of Halide has Halide's types");
    switch (type) {
        case value::Type::boolean: return "bool";
        case value::Type::f32: return "float";
        case value::Type::f64: return "double";
        default: break;
    }
    return (value::is_signed_integer(type) ? "int" : "uint") + std::to_string(value::bits(type)) + "_t";
}

std::string cpp_value(const value::Value& v) {
    const value::Type type = v.type();
    if (type == value::Type::boolean) { return v.as_bool() ? "true" : "false"; }
    if (type == value::Type::f32) { return float_text(static_cast<float>(v.as_double())); }
    if (type == value::Type::f64) { return float_text(v.as_double()); }
    if (value::is_unsigned_integer(type)) {
        return cpp_type(type) + "(" + std::to_string(v.as_unsigned()) + (value::bits(type) == 64 ? "u" : "") + ")";
    }
    // The smallest value has no literal of its own: -x is minus applied to x.
    const std::int64_t n = v.as_signed();
    const bool smallest =
        n == std::numeric_limits<std::int64_t>::min() || n == std::numeric_limits<std::int32_t>::min();
    if (smallest && value::bits(type) >= 32) { return cpp_type(type) + "(" + std::to_string(n + 1) + " - 1)"; }
    return cpp_type(type) + "(" + std::to_string(n) + ")";
}

std::string cpp_literal(const value::Value& v) {
    if (v.type() == value::Type::boolean) { return v.as_bool() ? "Internal::const_true()" : "Internal::const_false()"; }
    if (v.type() == value::Type::i32 && v.as_signed() > std::numeric_limits<std::int32_t>::min()) {
        return "Expr(" + std::to_string(v.as_signed()) + ")";
    }
    return "Expr(" + cpp_value(v) + ")";
}

Text cpp_binary(value::BinaryOp op, const Text& a, const Text& b) {
    if (op == value::BinaryOp::min || op == value::BinaryOp::max) {
        return call(op == value::BinaryOp::min ? "min" : "max", {as_expr(a), as_expr(b)});
    }
    return infix(infix_operator(op), a, b);
}

Text ValueWriter::operation(const sare::Binary& binary, const Scope& scope) const {
    const auto operand_text = [&](const sare::Expr& e, const sare::Expr& other) {
        const auto small = takes_small_integers(binary.op) && !small_integer(other) ? small_integer(e) : std::nullopt;
        if (small) { return Text{*small, small->starts_with('-') ? Binding::unary : Binding::primary, true}; }
        return write(e, scope);
    };
    return cpp_binary(binary.op, operand_text(*binary.a, *binary.b), operand_text(*binary.b, *binary.a));
}

Text ValueWriter::write(const sare::Expr& expr, const Scope& scope) const {
    const auto sub = [&](const sare::Expr& e) { return write(e, scope); };
    // Halide's cast to bool truncates; ours tests whether the value is zero.
    const auto cast_to = [](value::Type type, const Text& a, bool from_bool) {
        if (type != value::Type::boolean) { return call("cast<" + cpp_type(type) + ">", {a.text}); }
        return from_bool ? a : infix({"!=", Binding::equality}, a, {"0", Binding::primary, true});
    };
    return std::visit(
        Overload{
            [](const sare::Literal& l) { return Text{cpp_literal(l.value)}; },
            [&](const sare::Embed& e) {
                Text index = cpp(e.index, scope);
                if (index.plain) { index = {"Expr(" + index.text + ")", Binding::primary, false}; }
                return e.type == value::Type::i32 ? index : cast_to(e.type, index, false);
            },
            [&](const sare::Guard& g) { return cpp(g.condition, scope); },
            [&](const sare::Access& a) {
                std::vector<std::string> indices;
                for (const sare::Index& i : a.indices) { indices.push_back(cpp(i, scope).text); }
                return Text{read_(a, indices)};
            },
            [&](const sare::Unary& u) {
                switch (u.op) {
                    case value::UnaryOp::negate: return prefix("-", sub(*u.a));
                    case value::UnaryOp::logical_not: return prefix("!", sub(*u.a));
                    case value::UnaryOp::bit_not: return prefix("~", sub(*u.a));
                    case value::UnaryOp::absolute: return call("abs", {sub(*u.a).text});
                }
                ENSURE(false, "unknown unary operator");
            },
            [&](const sare::Binary& b) { return operation(b, scope); },
            [&](const sare::Select& s) {
                return call("select", {sub(*s.condition).text, sub(*s.if_true).text, sub(*s.if_false).text});
            },
            [&](const sare::Cast& c) { return cast_to(c.type, sub(*c.a), type_of_(*c.a) == value::Type::boolean); },
            [](const sare::Reduce&) -> Text { raise_internal_error(__FILE__, __LINE__, "an inline reduction"); },
        },
        expr.node);
}

bool ValueWriter::mentions_float(const sare::Expr& expr) const {
    if (value::is_float(type_of_(expr))) { return true; }
    return std::visit(Overload{
                          [&](const sare::Unary& u) { return mentions_float(*u.a); },
                          [&](const sare::Binary& b) { return mentions_float(*b.a) || mentions_float(*b.b); },
                          [&](const sare::Select& s) {
                              return mentions_float(*s.condition) || mentions_float(*s.if_true) ||
                                     mentions_float(*s.if_false);
                          },
                          [&](const sare::Cast& c) { return mentions_float(*c.a); },
                          [&](const sare::Reduce& r) { return mentions_float(*r.body); },
                          [](const auto&) { return false; },
                      },
                      expr.node);
}

}  // namespace haruspex::render::halide
