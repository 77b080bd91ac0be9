#include "harness/halide/term.h"

#include <optional>
#include <utility>

namespace haruspex::halide {
namespace {

using sched::Expr;
using sched::Kind;
using value::Type;

const std::int64_t* integer_of(const Term& term) {
    const auto* n = std::get_if<sched::Integer>(&term.expr.node);
    return n == nullptr ? nullptr : &n->value;
}

std::int64_t euclidean_mod(std::int64_t a, std::int64_t b) {
    if (b == 0) { return 0; }
    const std::int64_t r = a % b;
    return r < 0 ? r + (b < 0 ? -b : b) : r;
}

std::optional<std::int64_t> fold(sched::IndexOp op, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    switch (op) {
        case sched::IndexOp::add: return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case sched::IndexOp::sub: return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case sched::IndexOp::mul: return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case sched::IndexOp::div: return b == 0 ? 0 : (a - euclidean_mod(a, b)) / b;
        case sched::IndexOp::mod: return euclidean_mod(a, b);
        case sched::IndexOp::min: return std::min(a, b);
        case sched::IndexOp::max: return std::max(a, b);
    }
    return std::nullopt;
}

bool holds(sched::Relation relation, std::int64_t a, std::int64_t b) {
    switch (relation) {
        case sched::Relation::lt: return a < b;
        case sched::Relation::le: return a <= b;
        case sched::Relation::eq: return a == b;
        case sched::Relation::ne: return a != b;
        case sched::Relation::gt: return a > b;
        case sched::Relation::ge: return a >= b;
    }
    return false;
}

}  // namespace

Term index_term(Expr expr) { return {std::move(expr), {Kind::index, Type::i32}}; }
Term condition_term(Expr expr) { return {std::move(expr), {Kind::condition, Type::i32}}; }
Term value_term(Expr expr, Type type) { return {std::move(expr), {Kind::value, type}}; }
Term integer(std::int64_t n) { return index_term(Expr{sched::Integer{n}}); }
Term truth(bool b) { return condition_term(Expr{sched::Truth{b}}); }

Term literal_term(const value::Value& value) {
    if (value.type() == Type::boolean) {
        return value_term(Expr{sched::Guard{Expr{sched::Truth{value.as_bool()}}}}, Type::boolean);
    }
    return value_term(Expr{sched::Literal{value}}, value.type());
}

Term as_value(Term term) {
    if (term.is_value()) { return term; }
    if (term.is_condition()) { return value_term(Expr{sched::Guard{std::move(term.expr)}}, Type::boolean); }
    if (const std::int64_t* n = integer_of(term); n != nullptr && *n >= INT32_MIN && *n <= INT32_MAX) {
        return literal_term(value::Value::integer(Type::i32, *n));
    }
    return value_term(Expr{sched::Embed{Type::i32, std::move(term.expr)}}, Type::i32);
}

Expr as_index(Term term) {
    if (term.is_index()) { return std::move(term.expr); }
    if (!term.is_value() || !value::is_integer(term.type.type)) { throw NotTranslated("an index that is no integer"); }
    return Expr{sched::IntegerOf{std::move(term.expr)}};
}

Expr as_guard(Term term) {
    if (term.is_index() || (term.is_value() && term.type.type != Type::boolean)) {
        throw NotTranslated("a condition that is no truth");
    }
    return std::move(term.expr);
}

bool is_truth(const Expr& expr, bool value) {
    const auto* t = std::get_if<sched::Truth>(&expr.node);
    return t != nullptr && t->value == value;
}

Term apply(value::UnaryOp op, Term a) {
    a = as_value(std::move(a));
    const auto type = value::result_type(op, a.type.type);
    if (!type) {
        throw NotTranslated("an operator of other types",
                            std::string(value::spelling(op)) + " of " + to_string(a.type));
    }
    return value_term(Expr{sched::Unary{op, std::move(a.expr)}}, *type);
}

Term apply(value::BinaryOp op, Term a, Term b) {
    a = as_value(std::move(a));
    b = as_value(std::move(b));
    const auto type = value::result_type(op, a.type.type, b.type.type);
    if (!type) {
        throw NotTranslated("an operator of other types", std::string(value::spelling(op)) + " of " +
                                                              to_string(a.type) + " and " + to_string(b.type));
    }
    return value_term(Expr{sched::Binary{op, std::move(a.expr), std::move(b.expr)}}, *type);
}

Term arithmetic(sched::IndexOp index_op, value::BinaryOp value_op, Term a, Term b) {
    if (!a.is_index() || !b.is_index()) {
        // Halide orders truths: min and max are && and ||.
        const bool truths = as_value(a).type.type == Type::boolean;
        if (truths && index_op == sched::IndexOp::min) { return conjunction(std::move(a), std::move(b)); }
        if (truths && index_op == sched::IndexOp::max) { return disjunction(std::move(a), std::move(b)); }
        return apply(value_op, std::move(a), std::move(b));
    }
    if (const auto *m = integer_of(a), *n = integer_of(b); m != nullptr && n != nullptr) {
        if (const auto folded = fold(index_op, *m, *n)) { return integer(*folded); }
    }
    return index_term(Expr{sched::IndexBinary{index_op, std::move(a.expr), std::move(b.expr)}});
}

Term compare(sched::Relation relation, value::BinaryOp value_op, Term a, Term b) {
    if (a.is_index() && b.is_index()) {
        if (const auto *m = integer_of(a), *n = integer_of(b); m != nullptr && n != nullptr) {
            return truth(holds(relation, *m, *n));
        }
        return condition_term(Expr{sched::Comparison{relation, std::move(a.expr), std::move(b.expr)}});
    }
    const bool equality = relation == sched::Relation::eq || relation == sched::Relation::ne;
    if (a.is_condition() && b.is_condition() && equality) {
        return condition_term(Expr{sched::Comparison{relation, std::move(a.expr), std::move(b.expr)}});
    }
    return apply(value_op, std::move(a), std::move(b));
}

Term conjunction(Term a, Term b) {
    if (a.is_condition() && (is_truth(a.expr, false) || is_truth(b.expr, true))) { return a; }
    if (b.is_condition() && (is_truth(b.expr, false) || is_truth(a.expr, true))) { return b; }
    if (!a.is_condition() || !b.is_condition()) {
        return apply(value::BinaryOp::logical_and, std::move(a), std::move(b));
    }
    return condition_term(Expr{sched::And{std::move(a.expr), std::move(b.expr)}});
}

Term disjunction(Term a, Term b) {
    if (a.is_condition() && (is_truth(a.expr, true) || is_truth(b.expr, false))) { return a; }
    if (b.is_condition() && (is_truth(b.expr, true) || is_truth(a.expr, false))) { return b; }
    if (!a.is_condition() || !b.is_condition()) {
        return apply(value::BinaryOp::logical_or, std::move(a), std::move(b));
    }
    return condition_term(Expr{sched::Or{std::move(a.expr), std::move(b.expr)}});
}

Term negation(Term a) {
    if (!a.is_condition()) { return apply(value::UnaryOp::logical_not, std::move(a)); }
    if (const auto* t = std::get_if<sched::Truth>(&a.expr.node)) { return truth(!t->value); }
    return condition_term(Expr{sched::Not{std::move(a.expr)}});
}

Term select(Term condition, Term if_true, Term if_false) {
    // A select that depends on a value is a value: indices and conditions read no memory.
    const bool is_value = condition.is_value() || if_true.type.kind != if_false.type.kind;
    Expr guard = as_guard(std::move(condition));
    if (is_value) {
        if_true = as_value(std::move(if_true));
        if_false = as_value(std::move(if_false));
    }
    if (is_truth(guard, true)) { return if_true; }
    if (is_truth(guard, false)) { return if_false; }
    const sched::ExprType type = if_true.type;
    return {Expr{sched::Select{std::move(guard), std::move(if_true.expr), std::move(if_false.expr)}}, type};
}

Term cast(Type type, Term a) {
    if (type == Type::boolean && !a.is_condition() && !(a.is_value() && a.type.type == Type::boolean)) {
        // Halide keeps the lowest bit.
        if (a.is_index()) {
            return compare(sched::Relation::ne, value::BinaryOp::ne,
                           arithmetic(sched::IndexOp::mod, value::BinaryOp::mod, std::move(a), integer(2)), integer(0));
        }
        if (!value::is_integer(a.type.type)) { throw NotTranslated("cast of a float to bool"); }
        const Term one = literal_term(value::Value::integer(a.type.type, 1));
        const Term zero = literal_term(value::Value::integer(a.type.type, 0));
        return apply(value::BinaryOp::ne, apply(value::BinaryOp::bit_and, std::move(a), one), zero);
    }
    if (type == Type::boolean) { return a; }
    a = as_value(std::move(a));
    if (a.type.type == type) { return a; }
    return value_term(Expr{sched::Cast{type, std::move(a.expr)}}, type);
}

}  // namespace haruspex::halide
