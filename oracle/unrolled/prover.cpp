#include "oracle/unrolled/prover.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "generators/base/overload.h"
#include "oracle/validator/alignment.h"

namespace haruspex::unrolled {
namespace {

using value::BinaryOp;
using value::Type;

constexpr std::size_t most_operands = 4'000;
constexpr std::size_t most_paired = 40;
// Of real numbers, so that no product of two leaves 64 bits.
constexpr std::int64_t most_coefficient = std::int64_t{1} << 30;
constexpr std::size_t most_reached = 20'000;  // terms of a question, before what they have in common is cut off
constexpr std::size_t most_terms = 400;       // after it
constexpr int most_aligned_depth = 1'000;     // of the recursion that compares terms
constexpr int most_rounded = 4;               // operators on IEEE floats
constexpr int most_depth = 200;               // of the recursion that copies them

bool is_same_operator(const smt::Node& a, const smt::Node& b, const smt::Terms& terms) {
    if (a.index() != b.index()) { return false; }
    return std::visit(Overload{[&](const smt::Unary& n) {
                                   const auto& m = std::get<smt::Unary>(b);
                                   return n.op == m.op && terms.type(n.a) == terms.type(m.a);
                               },
                               [&](const smt::Binary& n) {
                                   const auto& m = std::get<smt::Binary>(b);
                                   return n.op == m.op && terms.type(n.a) == terms.type(m.a);
                               },
                               [&](const smt::Cast& n) {
                                   const auto& m = std::get<smt::Cast>(b);
                                   return n.to == m.to && terms.type(n.a) == terms.type(m.a);
                               },
                               [](const smt::Select&) { return true; }, [](const auto&) { return false; }},
                      a);
}

// Whether it divides integers by what is not known.
bool has_quotient(const smt::Terms& terms) {
    constexpr int many_bits = 32;
    for (std::uint32_t t = 0; t < terms.size(); ++t) {
        const auto* node = std::get_if<smt::Binary>(&terms[{t}]);
        if (node == nullptr || (node->op != BinaryOp::div && node->op != BinaryOp::mod)) { continue; }
        const Type type = terms.type(node->a);
        const bool is_known = std::holds_alternative<smt::Literal>(terms[node->b]);
        if (!value::is_float(type) && value::bits(type) >= many_bits && !is_known) { return true; }
    }
    return false;
}

// Nothing when they are too many.
std::optional<std::unordered_set<Term>> reachable(const smt::Terms& terms, Term root) {
    std::unordered_set<Term> found{root};
    std::vector<Term> left{root};
    while (!left.empty()) {
        const Term next = left.back();
        left.pop_back();
        for (const Term operand : smt::operands(terms[next])) {
            if (found.insert(operand).second) { left.push_back(operand); }
        }
        if (found.size() > most_reached) { return std::nullopt; }
    }
    return found;
}

}  // namespace

bool Prover::shows(Term s, Term i, smt::Equality equality) {
    if (s == i) { return true; }
    const auto* undef = values_.literal_of(s);
    if (undef != nullptr && undef->is_undef()) { return true; }
    may_ask_ = false;
    if (is_aligned(s, i)) { return true; }
    may_ask_ = true;
    return is_aligned(s, i) || ask(s, i, equality);
}

// --- Without a solver ---------------------------------------------------------------------------------------------

// Where overflow is undefined, an order of additions may overflow that another one does not.
bool Prover::is_in_ring(Term t) const {
    const Type type = values_.type(t);
    if (value::is_float(type)) { return exact_reals_; }
    return type != Type::boolean && (!value::overflow_is_undefined(type) || values_.is_exact(t));
}

bool Prover::is_aligned(Term s, Term i) {
    if (s == i) { return true; }
    const auto [known, is_new] = aligned_.try_emplace({{s, i}, may_ask_}, false);
    if (!is_new) { return known->second; }
    if (depth_ == most_aligned_depth) { return false; }
    ++depth_;
    const bool is_shown = is_aligned_anew(s, i);
    --depth_;
    if (is_shown) { return known->second = true; }
    return known->second = may_ask_ && !is_spent(2) && ask(s, i, smt::Equality::same_result);
}

bool Prover::is_aligned_anew(Term s, Term i) {
    const smt::Terms& terms = values_.terms();
    const auto* x = values_.literal_of(s);
    const auto* y = values_.literal_of(i);
    if (x != nullptr && y != nullptr) {
        return y->is_defined() && x->is_defined() &&
               (exact_reals_ ? value::same_number(*x, *y) : value::same_result(*x, *y));
    }
    if ((is_sum(s) || is_sum(i)) && is_same_sum(s, i)) { return true; }
    for (const Term t : {s, i}) {
        const auto* binary = std::get_if<smt::Binary>(&terms[t]);
        if (binary != nullptr && binary->op != BinaryOp::add &&
            validator::is_associative(binary->op, terms.type(binary->a), exact_reals_)) {
            return is_reordered(s, i, binary->op);
        }
    }
    if (is_same_operation(s, i)) { return true; }
    // Where the specification's select is defined, both of its arms are.
    const auto* select = std::get_if<smt::Select>(&terms[s]);
    const auto* condition = select == nullptr ? nullptr : values_.literal_of(select->condition);
    if (condition == nullptr || !condition->is_defined()) { return false; }
    return is_aligned(condition->as_bool() ? select->if_true : select->if_false, i);
}

bool Prover::is_same_operation(Term s, Term i) {
    const smt::Terms& terms = values_.terms();
    if (!is_same_operator(terms[s], terms[i], terms)) { return false; }
    const std::vector<Term> a = smt::operands(terms[s]), b = smt::operands(terms[i]);
    const auto* binary = std::get_if<smt::Binary>(&terms[s]);
    if (binary != nullptr && value::is_commutative(binary->op, terms.type(binary->a))) { return are_paired(a, b); }
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (!is_aligned(a[k], b[k])) { return false; }
    }
    return true;
}

bool Prover::are_paired(const std::vector<Term>& s, std::vector<Term> i) {
    if (s.size() != i.size() || s.size() > most_paired) { return false; }
    return std::ranges::all_of(s, [&](Term mine) {
        const auto partner = std::ranges::find_if(i, [&](Term theirs) { return is_aligned(mine, theirs); });
        if (partner == i.end()) { return false; }
        i.erase(partner);
        return true;
    });
}

// --- Sums

std::optional<std::int64_t> Prover::coefficient(Term t) const {
    const auto* literal = values_.literal_of(t);
    if (literal == nullptr || !literal->is_defined()) { return std::nullopt; }
    if (!value::is_float(literal->type())) { return static_cast<std::int64_t>(literal->bit_pattern()); }
    const double number = literal->as_double();
    if (!(std::abs(number) <= static_cast<double>(most_coefficient)) || std::trunc(number) != number) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(number);
}

bool Prover::is_sum(Term t) const {
    if (!is_in_ring(t)) { return false; }
    const smt::Node& node = values_.terms()[t];
    const auto* binary = std::get_if<smt::Binary>(&node);
    if (binary == nullptr) { return false; }
    const bool is_multiple =
        binary->op == BinaryOp::mul && (coefficient(binary->a).has_value() || coefficient(binary->b).has_value());
    return binary->op == BinaryOp::add || binary->op == BinaryOp::sub || is_multiple;
}

// Nothing when it has too many parts, or numbers that are too large.
std::optional<Prover::Sum> Prover::sum(Term t) const {
    const Type type = values_.type(t);
    const bool is_modular = !value::is_float(type);
    Sum result;
    // Modulo 2^64 first; what bits there are beyond the type's does not matter to sums and products.
    const auto times = [&](std::int64_t a, std::int64_t b) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    };
    const auto plus = [&](std::int64_t a, std::int64_t b) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    };
    const auto is_large = [&](std::int64_t c) { return !is_modular && std::abs(c) > most_coefficient; };
    std::vector<std::pair<Term, std::int64_t>> left{{t, 1}};
    for (std::size_t parts = 0; !left.empty(); ++parts) {
        const auto [next, factor] = left.back();
        left.pop_back();
        if (parts > most_operands || is_large(factor)) { return std::nullopt; }
        const smt::Node& node = values_.terms()[next];
        if (const auto c = coefficient(next)) {
            result.constant = plus(result.constant, times(factor, *c));
            if (is_large(result.constant)) { return std::nullopt; }
        } else if (!is_sum(next)) {
            std::int64_t& multiple = result.multiples[next];
            multiple = plus(multiple, factor);
            if (is_large(multiple)) { return std::nullopt; }
        } else {
            const auto& binary = std::get<smt::Binary>(node);
            if (binary.op == BinaryOp::mul) {
                const auto a = coefficient(binary.a);
                left.emplace_back(a ? binary.b : binary.a, times(factor, a ? *a : *coefficient(binary.b)));
            } else {
                left.emplace_back(binary.a, factor);
                left.emplace_back(binary.b, binary.op == BinaryOp::add ? factor : times(factor, -1));
            }
        }
    }
    if (is_modular && value::bits(type) < 64) {
        const std::uint64_t mask = (std::uint64_t{1} << value::bits(type)) - 1;
        const auto reduced = [&](std::int64_t c) {
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(c) & mask);
        };
        result.constant = reduced(result.constant);
        for (auto& [part, multiple] : result.multiples) { multiple = reduced(multiple); }
    }
    return result;
}

// Parts with the same multiple cancel, and the others are paired. A part of the implementation alone that adds up to
// nothing might be Undef.
bool Prover::is_same_sum(Term s, Term i) {
    const auto a = sum(s), b = sum(i);
    if (!a || !b || a->constant != b->constant) { return false; }
    std::map<std::int64_t, std::pair<std::vector<Term>, std::vector<Term>>> others;
    for (const auto& [part, multiple] : a->multiples) {
        const auto same = b->multiples.find(part);
        if (same != b->multiples.end() && same->second == multiple) { continue; }
        if (multiple != 0) { others[multiple].first.push_back(part); }
    }
    for (const auto& [part, multiple] : b->multiples) {
        const auto same = a->multiples.find(part);
        if (same != a->multiples.end() && same->second == multiple) { continue; }
        if (multiple != 0) {
            others[multiple].second.push_back(part);
        } else if (same == a->multiples.end() && !values_.is_always_defined(part)) {
            return false;
        }
    }
    return std::ranges::all_of(others,
                               [&](const auto& entry) { return are_paired(entry.second.first, entry.second.second); });
}

// --- Other operators that may be reordered

std::optional<std::vector<Term>> Prover::operands(Term t, BinaryOp op) const {
    std::vector<Term> result, left{t};
    while (!left.empty()) {
        if (result.size() > most_operands) { return std::nullopt; }
        const Term next = left.back();
        left.pop_back();
        const auto* binary = std::get_if<smt::Binary>(&values_.terms()[next]);
        if (binary == nullptr || binary->op != op) {
            result.push_back(next);
            continue;
        }
        left.push_back(binary->a);
        left.push_back(binary->b);
    }
    std::ranges::sort(result);
    const bool is_idempotent = op != BinaryOp::mul && op != BinaryOp::bit_xor;
    if (is_idempotent) {
        const auto [end, unused] = std::ranges::unique(result);
        result.erase(end, unused);
    }
    const auto is_neutral = [&](Term part) {
        if (op != BinaryOp::min && op != BinaryOp::max) { return false; }
        const auto reduction = op == BinaryOp::min ? value::ReductionOp::min : value::ReductionOp::max;
        const auto* literal = values_.literal_of(part);
        return literal != nullptr && *literal == value::neutral(reduction, literal->type());
    };
    if (result.size() > 1) { std::erase_if(result, is_neutral); }
    return result;
}

bool Prover::is_reordered(Term s, Term i, BinaryOp op) {
    const auto a = operands(s, op), b = operands(i, op);
    if (!a || !b || a->size() != b->size()) { return false; }
    std::vector<Term> mine, theirs;
    std::ranges::set_difference(*a, *b, std::back_inserter(mine));
    std::ranges::set_difference(*b, *a, std::back_inserter(theirs));
    const bool is_about_them = std::ranges::find(mine, s) != mine.end() && std::ranges::find(theirs, i) != theirs.end();
    return is_about_them ? is_same_operation(s, i) : are_paired(mine, theirs);
}

// --- With one -----------------------------------------------------------------------------------------------------

// What is cut off is unknown, which makes the claim stronger.
std::optional<Prover::Question> Prover::question(Term s, Term i, std::optional<int> depth_of_cuts) const {
    const smt::Terms& terms = values_.terms();
    Question asked;
    std::unordered_map<Term, int> sides;  // how many of the two reach a term
    for (const Term root : {s, i}) {
        const auto reached = reachable(terms, root);
        if (!reached) { return std::nullopt; }
        for (const Term t : *reached) { ++sides[t]; }
    }
    std::map<Term, Term> copies;
    std::uint32_t unknowns = 0;
    int depth = 0, rounded = 0;
    // `shared`: how many operators above it are in both terms.
    const std::function<std::optional<Term>(Term, int)> copy = [&](Term t, int shared) -> std::optional<Term> {
        if (const auto known = copies.find(t); known != copies.end()) { return known->second; }
        if (copies.size() > most_terms || depth > most_depth) { return std::nullopt; }
        const auto made = [&](Term c) {
            copies.emplace(t, c);
            return std::optional(c);
        };
        const Type type = terms.type(t);
        const smt::Node& node = terms[t];
        if (std::holds_alternative<smt::Atom>(node)) {
            const Term leaf = asked.terms.atom(type, unknowns++);
            asked.leaves.emplace_back(leaf, t);
            return made(leaf);
        }
        const bool is_shared = sides[t] == 2 && values_.literal_of(t) == nullptr;
        if (is_shared && shared == depth_of_cuts) {
            asked.has_cuts = true;
            if (values_.is_never_undef(t)) { return made(asked.terms.atom(type, unknowns++)); }
            return made(asked.terms.cell({"cut " + std::string(value::name(type)),
                                          0,
                                          type,
                                          smt::Definedness::may_be_undef,
                                          {affine::Affine{unknowns++, {}, {}}}}));
        }
        // A solver spells them out bit by bit before it counts what that costs.
        const bool is_rounded = !exact_reals_ && value::is_float(type) && std::holds_alternative<smt::Binary>(node);
        rounded += is_rounded ? 1 : 0;
        if (rounded > most_rounded) { return std::nullopt; }
        ++depth;
        const auto part = [&](Term operand) { return copy(operand, is_shared ? shared + 1 : 0); };
        const auto result = std::visit(
            Overload{[&](const smt::Literal& n) -> std::optional<Term> { return asked.terms.literal(n.value); },
                     [&](const smt::Unary& n) -> std::optional<Term> {
                         const auto a = part(n.a);
                         return a ? std::optional(asked.terms.apply(n.op, *a)) : std::nullopt;
                     },
                     [&](const smt::Binary& n) -> std::optional<Term> {
                         const auto a = part(n.a);
                         const auto b = a ? part(n.b) : std::nullopt;
                         return b ? std::optional(asked.terms.apply(n.op, *a, *b)) : std::nullopt;
                     },
                     [&](const smt::Select& n) -> std::optional<Term> {
                         const auto c = part(n.condition);
                         const auto a = c ? part(n.if_true) : std::nullopt;
                         const auto b = a ? part(n.if_false) : std::nullopt;
                         return b ? std::optional(asked.terms.select(*c, *a, *b)) : std::nullopt;
                     },
                     [&](const smt::Cast& n) -> std::optional<Term> {
                         const auto a = part(n.a);
                         return a ? std::optional(asked.terms.cast(n.to, *a)) : std::nullopt;
                     },
                     [](const auto&) -> std::optional<Term> { return std::nullopt; }},
            node);
        --depth;
        return result ? made(*result) : std::nullopt;
    };
    const auto mine = copy(s, 0);
    const auto theirs = mine ? copy(i, 0) : std::nullopt;
    if (!theirs) { return std::nullopt; }
    asked.specification = *mine;
    asked.implementation = *theirs;
    return asked;
}

// The same for questions that differ in the cells that they are about alone. (Terms are numbered as they were made.)
std::string Prover::shape(const Question& question, smt::Equality equality) {
    std::string text = equality == smt::Equality::same_number ? "number" : "result";
    const auto add = [&](std::initializer_list<std::uint32_t> numbers) {
        for (const std::uint32_t n : numbers) { text += " " + std::to_string(n); }
    };
    for (std::uint32_t t = 0; t < question.terms.size(); ++t) {
        const smt::Node& node = question.terms[{t}];
        add({static_cast<std::uint32_t>(node.index()), static_cast<std::uint32_t>(question.terms.type({t}))});
        std::visit(Overload{[&](const smt::Literal& n) { text += " " + value::to_string(n.value); },
                            [&](const smt::Unary& n) { add({static_cast<std::uint32_t>(n.op)}); },
                            [&](const smt::Binary& n) { add({static_cast<std::uint32_t>(n.op)}); }, [](const auto&) {}},
                   node);
        for (const Term operand : smt::operands(node)) { add({operand.value}); }
        text += ";";
    }
    add({question.specification.value, question.implementation.value});
    return text;
}

bool Prover::ask(Term s, Term i, smt::Equality equality) {
    const auto [known, is_new] = asked_.try_emplace({{s, i}, equality}, false);
    if (!is_new) { return known->second; }
    constexpr std::array<std::optional<int>, 4> depths{0, 3, 8, std::nullopt};
    for (std::size_t k = 0; k < depths.size(); ++k) {
        const auto asked = question(s, i, depths[k]);
        if (!asked) { break; }
        const auto [holds, is_news] = shapes_.try_emplace(shape(*asked, equality), false);
        if (is_news) {
            if (is_spent(1)) { break; }
            // More for each that is weaker.
            const std::size_t weaker = asked->has_cuts ? depths.size() - 1 - k : 0;
            const smt::Outcome outcome = put(*asked, equality, effort_.rlimit >> weaker);
            holds->second = outcome.holds();
            const smt::Model* model = outcome.counterexample();
            if (model != nullptr && !asked->has_cuts) { keep(*model, *asked); }
        }
        if (holds->second) { return known->second = true; }
        if (!asked->has_cuts) { break; }
    }
    return false;
}

void Prover::keep(const smt::Model& model, const Question& question) {
    counterexample_.clear();
    for (const smt::AtomValue& atom : model.atoms) {
        const auto leaf = std::ranges::find_if(question.leaves, [&](const auto& entry) {
            return std::get<smt::Atom>(question.terms[entry.first]) == atom.atom;
        });
        if (leaf == question.leaves.end()) { continue; }
        const InputCell& cell = values_.cell_of(std::get<smt::Atom>(values_.terms()[leaf->second]));
        counterexample_.push_back({cell.tensor, cell.component, cell.coordinates, atom.value});
    }
}

smt::Outcome Prover::put(const Question& question, smt::Equality equality, std::uint64_t rlimit) {
    smt::Query query;
    query.domain = {affine::Conjunction{}};
    query.specification = question.specification;
    query.implementation = question.implementation;
    query.floats = exact_reals_ ? smt::Floats::real : smt::Floats::ieee;
    query.equality = equality;
    // Z3 spells them out in gates, and does not count what that takes: many seconds.
    if (has_quotient(question.terms)) { query.abstraction = smt::Abstraction::uninterpreted; }
    smt::Outcome outcome = smt::refines(question.terms, query, rlimit);
    ++queries_;
    rlimit_ += outcome.rlimit_spent;
    return outcome;
}

}  // namespace haruspex::unrolled
