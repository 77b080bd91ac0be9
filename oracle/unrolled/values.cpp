#include "oracle/unrolled/values.h"

#include <algorithm>
#include <set>

#include "generators/base/overload.h"
#include "oracle/smt/bit_vectors.h"

namespace haruspex::unrolled {

const value::Value* Values::literal_of(Term t) const {
    const auto* literal = std::get_if<smt::Literal>(&terms_[t]);
    return literal == nullptr ? nullptr : &literal->value;
}

Term Values::input(const InputCell& cell, value::Type type) {
    const auto [entry, is_new] = numbers_.try_emplace(cell, static_cast<std::uint32_t>(cells_.size()));
    if (is_new) { cells_.push_back(&entry->first); }
    return known(terms_.atom(type, entry->second));
}

Term Values::unknown(value::Type type) { return input({"", 0, {unknowns_++}}, type); }

// Operands are made before what is made of them.
bool Values::mentions(Term t, Term unknown) const {
    std::set<Term> seen;
    std::vector<Term> waiting{t};
    while (!waiting.empty()) {
        const Term next = waiting.back();
        waiting.pop_back();
        if (next == unknown) { return true; }
        if (next.value < unknown.value || !seen.insert(next).second) { continue; }
        for (const Term operand : smt::operands(terms_[next])) { waiting.push_back(operand); }
    }
    return false;
}

Term Values::apply(value::UnaryOp op, Term a) {
    if (const auto* x = literal_of(a)) { return literal(value::apply(op, *x)); }
    return known(terms_.apply(op, a));
}

Term Values::apply(value::BinaryOp op, Term a, Term b) {
    const auto* x = literal_of(a);
    const auto* y = literal_of(b);
    if (x != nullptr && y != nullptr) { return literal(value::apply(op, *x, *y)); }
    if (const auto folded = folded_logic(op, a, b)) { return *folded; }
    if (op == value::BinaryOp::gt) { return apply(value::BinaryOp::lt, b, a); }
    if (op == value::BinaryOp::ge) { return apply(value::BinaryOp::le, b, a); }
    if (const auto folded = folded_comparison(op, a, b)) { return *folded; }
    // Literals last, so that equal computations on different cells look alike.
    if (value::is_commutative(op, type(a)) && std::pair(x != nullptr, a) > std::pair(y != nullptr, b)) {
        std::swap(a, b);
    }
    return known(terms_.apply(op, a, b));
}

// What is not Undef may still be Uninit, and then all that is made of it is.
std::optional<Term> Values::folded_logic(value::BinaryOp op, Term a, Term b) const {
    if (op != value::BinaryOp::logical_and && op != value::BinaryOp::logical_or) { return std::nullopt; }
    for (const auto& [known, other] : {std::pair(a, b), std::pair(b, a)}) {
        const auto* x = literal_of(known);
        if (x == nullptr || !x->is_defined()) { continue; }
        const bool decides = x->as_bool() == (op == value::BinaryOp::logical_or);
        if (!decides) { return other; }
        if (is_never_undef(other) && !mentions_uninit(other)) { return known; }
    }
    return std::nullopt;
}

// Of an integer with itself; and of a bool's lowest bit with zero, as a byte holds it.
std::optional<Term> Values::folded_comparison(value::BinaryOp op, Term a, Term b) {
    using value::BinaryOp;
    const bool is_equal = op == BinaryOp::eq || op == BinaryOp::le;
    const bool is_unequal = op == BinaryOp::ne || op == BinaryOp::lt;
    if (a == b && (is_equal || is_unequal) && !value::is_float(type(a)) && is_never_undef(a) && !mentions_uninit(a)) {
        return literal(value::Value::boolean(is_equal));
    }
    const auto* zero = literal_of(b);
    const auto* bit = std::get_if<smt::Binary>(&terms_[a]);
    if (op != BinaryOp::ne || zero == nullptr || bit == nullptr || bit->op != BinaryOp::bit_and) {
        return std::nullopt;
    }
    const auto* one = literal_of(bit->b);
    const auto* byte = std::get_if<smt::Cast>(&terms_[bit->a]);
    const bool is_stored = one != nullptr && byte != nullptr && type(byte->a) == value::Type::boolean &&
                           *one == value::Value::integer(type(a), 1) && *zero == value::Value::integer(type(a), 0);
    return is_stored ? std::optional(byte->a) : std::nullopt;
}

Term Values::select(Term condition, Term if_true, Term if_false) {
    if (const auto* c = literal_of(condition); c != nullptr && c->is_defined()) {
        const Term chosen = c->as_bool() ? if_true : if_false;
        if (is_never_undef(c->as_bool() ? if_false : if_true)) { return chosen; }
    }
    return known(terms_.select(condition, if_true, if_false));
}

Term Values::cast(value::Type to, Term a) {
    if (const auto* x = literal_of(a)) { return literal(value::cast(to, *x)); }
    const auto is_integer = [](value::Type t) { return !value::is_float(t) && t != value::Type::boolean; };
    if (to == type(a) && is_integer(to)) { return a; }
    // An integer that goes through a type that holds it, or whose lowest bits are wanted and kept.
    if (const auto* inner = std::get_if<smt::Cast>(&terms_[a]); inner != nullptr && is_integer(inner->to)) {
        const value::Type from = type(inner->a), through = inner->to;
        const bool holds = !value::is_float(from) && smt::always_fits(from, through);
        const bool keeps = is_integer(from) && is_integer(to) && value::bits(to) <= value::bits(through) &&
                           !value::overflow_is_undefined(through) && !value::overflow_is_undefined(to);
        if (holds || keeps) { return cast(to, inner->a); }
    }
    return known(terms_.cast(to, a));
}

Term Values::known(Term t) {
    if (t.value < facts_.size()) { return t; }
    if (facts_.size() == most_terms_) { throw GivenUp(validator::Outcome::undecided, "too many values"); }
    facts_.push_back(facts_of(terms_[t]));
    return t;
}

Values::Facts Values::facts_of(const smt::Node& node) const {
    if (const auto* literal = std::get_if<smt::Literal>(&node)) {
        return {literal->value.is_uninit(), !literal->value.is_undef()};
    }
    Facts facts{false, true};
    for (const Term t : smt::operands(node)) {
        facts.mentions_uninit = facts.mentions_uninit || facts_[t.value].mentions_uninit;
        facts.is_never_undef = facts.is_never_undef && facts_[t.value].is_never_undef;
    }
    const bool is_total = std::visit(Overload{[&](const smt::Unary& n) { return value::is_total(n.op, type(n.a)); },
                                              [&](const smt::Binary& n) { return value::is_total(n.op, type(n.a)); },
                                              [&](const smt::Cast& n) { return value::is_total_cast(type(n.a), n.to); },
                                              [](const auto&) { return true; }},
                                     node);
    facts.is_never_undef = facts.is_never_undef && is_total;
    return facts;
}

}  // namespace haruspex::unrolled
