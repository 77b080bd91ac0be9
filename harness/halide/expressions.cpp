#include "harness/halide/expressions.h"

#include <limits>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/outline.h"
#include "generators/sare/reduction_box.h"

namespace haruspex::halide {
namespace {

using Halide::Expr;

Expr int_constant(std::int64_t n) {
    if (n < std::numeric_limits<std::int32_t>::min() || n > std::numeric_limits<std::int32_t>::max()) {
        throw NotExpressible("the index constant " + std::to_string(n) + " does not fit 32 bits");
    }
    return Expr(static_cast<std::int32_t>(n));
}

Expr compare(sare::Relation relation, const Expr& a, const Expr& b) {
    switch (relation) {
        case sare::Relation::lt: return a < b;
        case sare::Relation::le: return a <= b;
        case sare::Relation::eq: return a == b;
        case sare::Relation::ne: return a != b;
        case sare::Relation::gt: return a > b;
        case sare::Relation::ge: return a >= b;
    }
    ENSURE(false, "unknown relation");
}

Expr apply(value::UnaryOp op, const Expr& a) {
    switch (op) {
        case value::UnaryOp::negate: return -a;
        case value::UnaryOp::logical_not: return !a;
        case value::UnaryOp::bit_not: return ~a;
        case value::UnaryOp::absolute: return Halide::abs(a);
    }
    ENSURE(false, "unknown unary operator");
}

Expr apply(value::BinaryOp op, const Expr& a, const Expr& b) {
    using value::BinaryOp;
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
    ENSURE(false, "unknown binary operator");
}

// Halide's own cast to UInt(1) truncates; ours tests whether the value is nonzero.
Expr cast_to(value::Type type, const Expr& a) {
    if (type == value::Type::boolean && !a.type().is_bool()) { return a != Halide::Internal::make_zero(a.type()); }
    return Halide::cast(halide_type(type), a);
}

}  // namespace

Halide::Type halide_type(value::Type type) {
    if (type == value::Type::boolean) { return Halide::UInt(1); }
    if (value::is_float(type)) { return Halide::Float(value::bits(type)); }
    if (type == value::Type::w32 || type == value::Type::w64) {
        throw NotExpressible("a signed integer of " + std::to_string(value::bits(type)) + " bits that wraps, " +
                             std::string(value::name(type)));
    }
    return value::is_signed_integer(type) ? Halide::Int(value::bits(type)) : Halide::UInt(value::bits(type));
}

Expr literal(const value::Value& v) {
    const Halide::Type type = halide_type(v.type());
    if (v.type() == value::Type::boolean) { return Halide::Internal::make_bool(v.as_bool()); }
    if (value::is_float(v.type())) { return Halide::Internal::make_const(type, v.as_double()); }
    if (value::is_signed_integer(v.type())) { return Halide::Internal::make_const(type, v.as_signed()); }
    return Halide::Internal::make_const(type, v.as_unsigned());
}

bool is_true(const sare::Condition& condition) {
    const auto* truth = std::get_if<sare::Truth>(&condition.node);
    return truth != nullptr && truth->value;
}

Expr Scope::lookup(const std::string& name) {
    const auto found = variables_.find(name);
    ENSURE(found != variables_.end(), "variable " + name + " is not in scope");
    used_.insert(name);
    return found->second;
}

Expr index_expr(const sare::Index& index, Scope& scope) {
    const auto build = [&](const sare::Index& i) { return index_expr(i, scope); };
    return std::visit(Overload{
                          [](const sare::IndexConstant& c) { return int_constant(c.value); },
                          [&](const sare::IndexVariable& v) { return scope.lookup(v.name); },
                          [&](const sare::IndexBinary& b) {
                              const Expr left = build(*b.a);
                              const Expr right = build(*b.b);
                              switch (b.op) {
                                  case sare::IndexOp::add: return left + right;
                                  case sare::IndexOp::sub: return left - right;
                                  case sare::IndexOp::min: return Halide::min(left, right);
                                  case sare::IndexOp::max: return Halide::max(left, right);
                              }
                              ENSURE(false, "unknown index operator");
                          },
                          [&](const sare::IndexScale& s) { return int_constant(s.factor) * build(*s.a); },
                          [&](const sare::IndexDiv& d) { return build(*d.a) / int_constant(d.divisor); },
                          [&](const sare::IndexMod& m) { return build(*m.a) % int_constant(m.divisor); },
                          [&](const sare::IndexSelect& s) {
                              return Halide::select(condition_expr(*s.condition, scope), build(*s.if_true),
                                                    build(*s.if_false));
                          },
                      },
                      index.node);
}

Expr condition_expr(const sare::Condition& condition, Scope& scope) {
    const auto build = [&](const sare::Condition& c) { return condition_expr(c, scope); };
    return std::visit(Overload{
                          [](const sare::Truth& t) { return Halide::Internal::make_bool(t.value); },
                          [&](const sare::Comparison& c) {
                              return compare(c.relation, index_expr(c.a, scope), index_expr(c.b, scope));
                          },
                          [&](const sare::And& a) { return build(*a.a) && build(*a.b); },
                          [&](const sare::Or& o) { return build(*o.a) || build(*o.b); },
                          [&](const sare::Not& n) { return !build(*n.a); },
                      },
                      condition.node);
}

void restrict_domain(Halide::RDom& domain, const sare::Condition& condition, Scope& scope) {
    for (const sare::Condition& conjunct : sare::conjuncts(condition)) {
        if (!is_true(conjunct)) { domain.where(condition_expr(conjunct, scope)); }
    }
}

Expr tie_to_domain(const Halide::RDom& domain, const Expr& e) {
    const Expr k = domain[0];
    return Halide::select(k == k, e, e);
}

Expr ExpressionBuilder::typed(Expr e) {
    mentions_float_ = mentions_float_ || e.type().is_float();
    return e;
}

Expr ExpressionBuilder::value(const sare::Expr& expr, Scope& scope) {
    const bool outer = std::exchange(mentions_float_, false);
    Expr e = build(expr, scope);
    // Wrapping an integer value would only hide its pattern (associativity) from Halide.
    if (strict_ && mentions_float_) { e = Halide::strict_float(e); }
    mentions_float_ = mentions_float_ || outer;
    return e;
}

Expr ExpressionBuilder::build(const sare::Expr& expr, Scope& scope) {
    const auto sub = [&](const sare::Expr& e) { return build(e, scope); };
    return typed(std::visit(Overload{
                                [](const sare::Literal& l) { return literal(l.value); },
                                [&](const sare::Embed& e) { return cast_to(e.type, index_expr(e.index, scope)); },
                                [&](const sare::Guard& g) { return condition_expr(g.condition, scope); },
                                [&](const sare::Access& a) {
                                    std::vector<Expr> indices;
                                    for (const sare::Index& i : a.indices) { indices.push_back(index_expr(i, scope)); }
                                    return read_(a, indices);
                                },
                                [&](const sare::Unary& u) { return apply(u.op, sub(*u.a)); },
                                [&](const sare::Binary& b) {
                                    const Expr left = sub(*b.a);
                                    return apply(b.op, left, sub(*b.b));
                                },
                                [&](const sare::Select& s) {
                                    const Expr condition = sub(*s.condition);
                                    const Expr yes = sub(*s.if_true);
                                    return Halide::select(condition, yes, sub(*s.if_false));
                                },
                                [&](const sare::Cast& c) { return cast_to(c.type, sub(*c.a)); },
                                [](const sare::Reduce&) -> Expr { throw NotExpressible(sare::why_inline); },
                            },
                            expr.node));
}

}  // namespace haruspex::halide
