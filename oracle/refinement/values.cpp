#include "oracle/refinement/values.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "oracle/refinement/canonical.h"

namespace haruspex::refinement {

const value::Value* Values::literal_of(Term t) const {
    const auto* literal = std::get_if<smt::Literal>(&terms_[t]);
    return literal == nullptr ? nullptr : &literal->value;
}

Term Values::input(const InputCell& cell, value::Type type) {
    const auto [entry, is_new] = numbers_.try_emplace(cell, static_cast<std::uint32_t>(cells_.size()));
    if (is_new) { cells_.push_back(&entry->first); }
    return known(terms_.atom(type, entry->second));
}

Term Values::unknown(value::Type type, smt::Definedness definedness) {
    const Term t = input({"", 0, {unknowns_++}}, type);
    if (definedness == smt::Definedness::may_be_undef) { facts_[t.value].is_never_undef = false; }
    return t;
}

// Operands are older than the terms that use them.
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

std::optional<std::vector<Term>> Values::below(const std::vector<Term>& roots, std::size_t most) const {
    std::vector<Term> found, waiting = roots;
    std::unordered_set<Term> seen;
    while (!waiting.empty()) {
        const Term next = waiting.back();
        waiting.pop_back();
        if (!seen.insert(next).second) { continue; }
        if (seen.size() > most) { return std::nullopt; }
        found.push_back(next);
        for (const Term operand : smt::operands(terms_[next])) { waiting.push_back(operand); }
    }
    std::ranges::sort(found);
    return found;
}

Term Values::apply(value::UnaryOp op, Term a) {
    if (const auto* x = literal_of(a)) { return literal(value::apply(op, *x)); }
    if (const auto canonical = canonical_unary(*this, op, a)) { return *canonical; }
    return known(terms_.apply(op, a));
}

Term Values::apply(value::BinaryOp op, Term a, Term b) {
    const auto* x = literal_of(a);
    const auto* y = literal_of(b);
    if (x != nullptr && y != nullptr) {
        const auto result = exact_reals_ ? value::apply_exactly(op, *x, *y) : value::apply(op, *x, *y);
        if (result) { return literal(*result); }
    }
    if (const auto folded = folded_logic(op, a, b)) { return *folded; }
    // Literals go last, so that equal computations on different cells look alike.
    if (value::is_commutative(op, type(a)) && std::pair(x != nullptr, a) > std::pair(y != nullptr, b)) {
        std::swap(a, b);
    }
    if (const auto folded = folded_by_range(op, a, b)) { return *folded; }
    if (const auto canonical = canonical_binary(*this, op, a, b)) { return *canonical; }
    return known(terms_.apply(op, a, b));
}

// A term that is not Undef may still be Uninit, and then every term made of it is.
std::optional<Term> Values::folded_logic(value::BinaryOp op, Term a, Term b) const {
    if (op != value::BinaryOp::logical_and && op != value::BinaryOp::logical_or) { return std::nullopt; }
    for (const auto& [known, other] : {std::pair(a, b), std::pair(b, a)}) {
        const auto* x = literal_of(known);
        if (x == nullptr || !x->is_defined()) { continue; }
        const bool decides = x->as_bool() == (op == value::BinaryOp::logical_or);
        if (!decides) { return other; }
        if (is_always_defined(other)) { return known; }
    }
    return std::nullopt;
}

// A result that is the same for all values of the operands, or equal to one operand. A dropped operand must be neither
// Undef nor Uninit.
std::optional<Term> Values::folded_by_range(value::BinaryOp op, Term a, Term b) {
    using value::BinaryOp;
    const auto x = range(a), y = range(b);
    if (!x || !y) { return std::nullopt; }
    const bool is_single = y->low == y->high;
    switch (op) {
        case BinaryOp::add:
        case BinaryOp::sub:
            if (is_single && y->low == 0 && is_always_defined(b)) { return a; }
            break;
        case BinaryOp::mul:
        case BinaryOp::div:
            if (is_single && y->low == 1 && is_always_defined(b)) { return a; }
            break;
        case BinaryOp::mod:
            if (x->low >= 0 && x->high < y->low && is_always_defined(b)) { return a; }
            break;
        case BinaryOp::min:
        case BinaryOp::max: {
            const bool is_min = op == BinaryOp::min;
            if ((is_min ? x->high <= y->low : x->low >= y->high) && is_always_defined(b)) { return a; }
            if ((is_min ? y->high <= x->low : y->low >= x->high) && is_always_defined(a)) { return b; }
            break;
        }
        default: break;
    }
    if (!is_always_defined(a) || !is_always_defined(b)) { return std::nullopt; }
    const bool is_sum = op == BinaryOp::add || op == BinaryOp::sub;
    if (is_sum && (!is_single || x->low != x->high)) { return std::nullopt; }
    if (a == b && (op == BinaryOp::eq || op == BinaryOp::le)) { return literal(value::Value::boolean(true)); }
    if (a == b && (op == BinaryOp::ne || op == BinaryOp::lt)) { return literal(value::Value::boolean(false)); }
    const auto result = value::apply(op, *x, *y);
    if (!result || result->low != result->high) { return std::nullopt; }
    return literal(value::Value::from_bits(result->type, static_cast<std::uint64_t>(result->low)));
}

Term Values::select(Term condition, Term if_true, Term if_false) {
    if (const auto* c = literal_of(condition); c != nullptr && c->is_defined()) {
        const Term chosen = c->as_bool() ? if_true : if_false;
        if (is_never_undef(c->as_bool() ? if_false : if_true)) { return chosen; }
    }
    if (const auto canonical = canonical_select(*this, condition, if_true, if_false)) { return *canonical; }
    return known(terms_.select(condition, if_true, if_false));
}

Term Values::cast(value::Type to, Term a) {
    if (const auto* x = literal_of(a)) {
        const auto result = exact_reals_ ? value::cast_exactly(to, *x) : value::cast(to, *x);
        if (result) { return literal(*result); }
    }
    if (to == type(a) && !value::is_float(to)) { return a; }
    // An integer cast through a type that holds it, or that keeps the lowest bits when only those are used.
    if (const auto* inner = std::get_if<smt::Cast>(&terms_[a]); inner != nullptr && value::is_integer(inner->to)) {
        const value::Type from = type(inner->a), through = inner->to;
        const bool holds = fits(inner->a, through);
        const bool keeps = value::is_integer(from) && value::is_integer(to) &&
                           value::bits(to) <= value::bits(through) && value::wraps(through) && value::wraps(to);
        if (holds || keeps) { return cast(to, inner->a); }
    }
    if (const auto* inner = std::get_if<smt::Cast>(&terms_[a]); inner != nullptr && is_exact_float(*inner)) {
        if (value::is_float(to) || fits(inner->a, to)) { return cast(to, inner->a); }
    }
    return cast_of_result(to, a);
}

// Whether it casts an integer with no more bits than the float's significand.
bool Values::is_exact_float(const smt::Cast& cast) const {
    if (!value::is_float(cast.to) || !value::is_integer(type(cast.a))) { return false; }
    const value::Int128 most = value::Int128{1} << (cast.to == value::Type::f32 ? 24 : 53);
    const auto held = range(cast.a);
    return held && -most <= held->low && held->high <= most;
}

// Pushes a cast down to where it has an effect: once per term, and only as deep as the stack allows.
Term Values::cast_of_result(value::Type to, Term a) {
    constexpr int most_depth = 100;
    if (const auto found = casts_.find({a, to}); found != casts_.end()) { return found->second; }
    ++depth_of_casts_;
    const auto canonical = depth_of_casts_ < most_depth ? canonical_cast(*this, to, a) : std::nullopt;
    --depth_of_casts_;
    if (!canonical) { return known(terms_.cast(to, a)); }
    return casts_.emplace(std::pair(a, to), *canonical).first->second;
}

Term Values::known(Term t) {
    if (t.value < facts_.size()) { return t; }
    if (facts_.size() == most_terms_) { throw TooManyTerms(); }
    facts_.push_back(facts_of(t));
    return t;
}

std::optional<value::Range> Values::range(Term t) const {
    if (value::is_float(type(t))) { return std::nullopt; }
    // Also beyond the bounds that facts can hold.
    if (const auto* literal = literal_of(t); literal != nullptr && literal->is_defined()) {
        return value::range_of(*literal);
    }
    const Facts& facts = facts_[t.value];
    return facts.is_bounded ? value::Range{type(t), facts.low, facts.high, 0} : value::full_range(type(t));
}

bool Values::fits(Term t, value::Type integers) const {
    const auto held = range(t);
    const value::Range all = value::full_range(integers);
    return held && all.low <= held->low && held->high <= all.high;
}

std::optional<value::Range> Values::result_range(const smt::Node& node) const {
    using Maybe = std::optional<value::Range>;
    return std::visit(Overload{[](const smt::Literal& n) {
                                   const bool is_number = n.value.is_defined() && !value::is_float(n.value.type());
                                   return is_number ? Maybe(value::range_of(n.value)) : Maybe();
                               },
                               [&](const smt::Unary& n) {
                                   const auto a = range(n.a);
                                   return a ? value::apply(n.op, *a) : Maybe();
                               },
                               [&](const smt::Binary& n) {
                                   const auto a = range(n.a), b = range(n.b);
                                   const bool is_zero = a && n.a == n.b &&
                                                        (n.op == value::BinaryOp::sub || n.op == value::BinaryOp::mod);
                                   if (is_zero) { return Maybe(value::Range{a->type, 0, 0, 0}); }
                                   return a && b ? value::apply(n.op, *a, *b) : Maybe();
                               },
                               [&](const smt::Cast& n) {
                                   const auto a = range(n.a);
                                   return a && !value::is_float(n.to) ? value::cast(n.to, *a) : Maybe();
                               },
                               [&](const smt::Select& n) {
                                   const auto c = range(n.condition), a = range(n.if_true), b = range(n.if_false);
                                   return c && a && b ? value::select(*c, *a, *b) : Maybe();
                               },
                               [](const auto&) { return Maybe(); }},
                      node);
}

Values::Facts Values::facts_of(Term t) const {
    const smt::Node& node = terms_[t];
    Facts facts{.has_floats = value::is_float(type(t)), .is_never_undef = true};
    for (const Term operand : smt::operands(node)) {
        facts.mentions_uninit = facts.mentions_uninit || facts_[operand.value].mentions_uninit;
        facts.has_floats = facts.has_floats || facts_[operand.value].has_floats;
        facts.is_never_undef = facts.is_never_undef && facts_[operand.value].is_never_undef;
        facts.has_known_part = facts.has_known_part || facts_[operand.value].has_known_part;
    }
    if (const auto* literal = std::get_if<smt::Literal>(&node)) {
        facts.mentions_uninit = literal->value.is_uninit();
        facts.is_never_undef = !literal->value.is_undef();
    }
    const auto range = result_range(node);
    if (const auto* select = std::get_if<smt::Select>(&node)) {
        const auto* condition = literal_of(select->condition);
        facts.has_known_part = facts.has_known_part || (condition != nullptr && condition->is_defined());
    }
    const bool is_operator = !smt::operands(node).empty();
    facts.has_known_part = facts.has_known_part || (is_operator && range && range->low == range->high);
    const bool is_total = std::visit(Overload{[&](const smt::Unary& n) { return value::is_total(n.op, type(n.a)); },
                                              [&](const smt::Binary& n) { return value::is_total(n.op, type(n.a)); },
                                              [&](const smt::Cast& n) { return value::is_total_cast(type(n.a), n.to); },
                                              [](const auto&) { return true; }},
                                     node);
    facts.is_never_undef = facts.is_never_undef && (is_total || range);
    // A type that wraps has its full range if something overflows.
    facts.is_exact = range && (value::overflow_is_undefined(range->type) || *range != value::full_range(range->type));
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if (range && range->low >= least && range->high <= most) {
        facts.is_bounded = true;
        facts.low = static_cast<std::int64_t>(range->low);
        facts.high = static_cast<std::int64_t>(range->high);
    }
    return facts;
}

std::vector<Term> copied(const smt::Terms& from, const std::vector<Term>& roots, Values& to) {
    std::unordered_map<Term, Term> copies;
    for (const Term t : smt::reachable(from, roots)) {
        const auto of = [&](Term operand) { return copies.at(operand); };
        copies.emplace(t, std::visit(Overload{[&](const smt::Literal& n) { return to.literal(n.value); },
                                              [&](const smt::Unary& n) { return to.apply(n.op, of(n.a)); },
                                              [&](const smt::Binary& n) { return to.apply(n.op, of(n.a), of(n.b)); },
                                              [&](const smt::Cast& n) { return to.cast(n.to, of(n.a)); },
                                              [&](const smt::Select& n) {
                                                  return to.select(of(n.condition), of(n.if_true), of(n.if_false));
                                              },
                                              [&](const smt::Cell& n) { return to.unknown(n.type, n.definedness); },
                                              [&](const smt::Atom& n) { return to.unknown(n.type); },
                                              [](const auto&) -> Term {
                                                  raise_internal_error(__FILE__, __LINE__, "a term with indices in it");
                                              }},
                                     from[t]));
    }
    std::vector<Term> result;
    for (const Term root : roots) { result.push_back(copies.at(root)); }
    return result;
}

}  // namespace haruspex::refinement
