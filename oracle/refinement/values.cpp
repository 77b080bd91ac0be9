#include "oracle/refinement/values.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "oracle/rewrite/arithmetic_rules.h"
#include "oracle/rewrite/cast_rules.h"
#include "oracle/rewrite/limit_rules.h"
#include "oracle/rewrite/range_rules.h"
#include "oracle/rewrite/select_rules.h"
#include "oracle/rewrite/table.h"
#include "oracle/rewrite/truth_rules.h"

namespace haruspex::refinement {
namespace {

using namespace rewrite;

// The rules by which operations are rewritten, in the order in which they are tried: what ranges decide, and one form for
// what compilers write in several ways. A literal is the second operand of a commutative operator.

constexpr auto unary_rules = unary_rules_of<Values>({
    {{UnaryOp::negate}, {negative_as_difference}},
    {{UnaryOp::logical_not}, {double_negation, negated_comparison}},
    {{UnaryOp::absolute}, {absolute_of_nonnegative}},
});

constexpr auto binary_rules = binary_rules_of<Values>({
    {{BinaryOp::add}, {neutral_by_range, only_result, sum_of_equals}},
    {{BinaryOp::sub}, {neutral_by_range, only_result, difference_of_equals, difference_as_sum}},
    {{BinaryOp::mul}, {neutral_by_range, only_result, float_times_one, multiple_of_quotient, regrouped_product}},
    {{BinaryOp::div}, {neutral_by_range, only_result, quotient_by_power, quotient_of_equals}},
    {{BinaryOp::mod}, {remainder_of_smaller, only_result}},
    {{BinaryOp::min, BinaryOp::max},
     {known_limit, only_result, same_operands, limit_of_limit, limit_of_sum, limit_of_product, lower_limit_last,
      limit_of_converted, limit_of_float_product}},
    {{BinaryOp::eq, BinaryOp::ne}, {comparison_with_itself, only_result, held_bool}},
    {{BinaryOp::lt, BinaryOp::le}, {comparison_with_itself, only_result}},
    {{BinaryOp::gt, BinaryOp::ge}, {only_result, reversed_comparison}},
    {{BinaryOp::logical_and, BinaryOp::logical_or}, {neutral_operand, absorbing_operand, only_result, same_operands}},
    {{BinaryOp::bit_and}, {only_result, same_operands, mask_by_literal}},
    {{BinaryOp::bit_or}, {only_result, same_operands}},
    {{BinaryOp::bit_xor}, {only_result}},
    {{BinaryOp::shift_left, BinaryOp::shift_right}, {only_result, shift_by_literal}},
});

constexpr Rules<CastRule<Values>> cast_rules{cast_to_own_type, cast_through_wider, cast_of_low_bits,
                                             cast_through_float};
constexpr Rules<CastRule<Values>> cast_of_result_rules{integer_as_bool, float_as_bool, cast_of_operation};

constexpr Rules<SelectRule<Values>> select_rules{select_by_literal,  select_of_equals,     select_of_truths,
                                                 select_by_negation, select_by_inequality, select_by_order};

}  // namespace

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
    if (const auto canonical = first_match(unary_rules[static_cast<std::size_t>(op)], *this, op, a)) {
        return *canonical;
    }
    return known(terms_.apply(op, a));
}

Term Values::apply(value::BinaryOp op, Term a, Term b) {
    const auto* x = literal_of(a);
    const auto* y = literal_of(b);
    if (x != nullptr && y != nullptr) {
        const auto result = folds_exactly_ ? value::apply_exactly(op, *x, *y) : value::apply(op, *x, *y);
        if (result) { return literal(*result); }
    }
    // Literals go last, so that equal computations on different cells look alike.
    if (value::is_commutative(op, type(a)) && std::pair(x != nullptr, a) > std::pair(y != nullptr, b)) {
        std::swap(a, b);
    }
    if (const auto canonical = first_match(binary_rules[static_cast<std::size_t>(op)], *this, op, a, b)) {
        return *canonical;
    }
    return known(terms_.apply(op, a, b));
}

Term Values::select(Term condition, Term if_true, Term if_false) {
    if (const auto canonical = first_match(select_rules, *this, condition, if_true, if_false)) { return *canonical; }
    return known(terms_.select(condition, if_true, if_false));
}

Term Values::cast(value::Type to, Term a) {
    if (const auto* x = literal_of(a)) {
        const auto result = folds_exactly_ ? value::cast_exactly(to, *x) : value::cast(to, *x);
        if (result) { return literal(*result); }
    }
    if (const auto canonical = first_match(cast_rules, *this, to, a)) { return *canonical; }
    return cast_of_result(to, a);
}

// Pushes a cast down to where it has an effect: once per term, and only as deep as the stack allows.
Term Values::cast_of_result(value::Type to, Term a) {
    constexpr int most_depth = 100;
    if (const auto found = casts_.find({a, to}); found != casts_.end()) { return found->second; }
    ++depth_of_casts_;
    const auto canonical =
        depth_of_casts_ < most_depth ? first_match(cast_of_result_rules, *this, to, a) : std::nullopt;
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

bool Values::fits(Term t, value::Type integers) const { return rewrite::fits(*this, t, integers); }

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
