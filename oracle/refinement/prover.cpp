#include "oracle/refinement/prover.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <unordered_map>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "oracle/rewrite/properties.h"
#include "oracle/smt/gates.h"

namespace haruspex::refinement {
namespace {

using value::BinaryOp;
using value::Type;

constexpr std::size_t most_operands = 4'000;
constexpr std::size_t most_paired = 40;
constexpr std::size_t most_reached = 20'000;  // terms of a question, before common parts are cut off
constexpr std::size_t most_terms = 400;       // after it
constexpr int most_aligned_depth = 1'000;     // of the recursion that compares terms
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

}  // namespace

bool Prover::shows(Term s, Term i, smt::Equality equality) {
    if (s == i) { return true; }
    const auto* undef = values_.literal_of(s);
    if (undef != nullptr && undef->is_undef()) { return true; }
    beyond_.clear();
    // The claim as it is, for what makes both undefined, and simplified by the facts that hold where it is defined.
    const std::array<Term, 2> claims{s, where_defined_.of(s)};
    const std::size_t count = claims[0] == claims[1] ? 1 : 2;
    const auto any = [&](const auto& shows) { return std::any_of(claims.begin(), claims.begin() + count, shows); };
    may_ask_ = false;
    if (any([&](Term claim) { return is_aligned(claim, i); })) { return true; }
    may_ask_ = true;
    return any(
        [&](Term claim) { return !differ(claim, i, equality) && (is_aligned(claim, i) || ask(claim, i, equality)); });
}

// Real numbers have one zero.
bool Prover::differ(Term s, Term i, smt::Equality equality) {
    return samples_.differ(s, i, values_.has_exact_reals() ? smt::Equality::same_number : equality);
}

void Prover::refute(Term s, Term i, smt::Equality equality) {
    constexpr std::uint64_t rounds = 4'000, rounds_with_part = 200;
    std::optional<Samples::Inputs> inputs;
    for (const Samples::Inputs& of_part : differences_) {
        if (!inputs) { inputs = difference(s, i, equality, rounds_with_part, of_part); }
    }
    if (!inputs) { inputs = difference(s, i, equality, rounds, {}); }
    if (!inputs) { return; }
    counterexample_.clear();
    for (const auto& [atom, v] : *inputs) {
        const InputCell& cell = values_.cell_of(std::get<smt::Atom>(values_.terms()[atom]));
        counterexample_.push_back({cell.tensor, cell.component, cell.coordinates, v});
    }
}

std::optional<Samples::Inputs> Prover::difference(Term s, Term i, smt::Equality equality, std::uint64_t rounds,
                                                  const Samples::Inputs& given) {
    return samples_.difference(s, i, values_.has_exact_reals() ? smt::Equality::same_number : equality, rounds, given);
}

// --- Without a solver ---------------------------------------------------------------------------------------------

bool Prover::is_aligned(Term s, Term i) {
    if (s == i) { return true; }
    if (values_.type(s) != values_.type(i)) { return false; }
    const auto [known, is_new] = aligned_.try_emplace({{s, i}, may_ask_}, false);
    if (!is_new) { return known->second; }
    if (depth_ == most_aligned_depth || (may_ask_ && differ(s, i, smt::Equality::same_result))) { return false; }
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
               (is_real(s) ? value::same_number(*x, *y) : value::same_result(*x, *y));
    }
    const Polynomials polynomials(values_, is_real(s));
    if ((polynomials.is_arithmetic(s) || polynomials.is_arithmetic(i)) && is_same_sum(s, i)) { return true; }
    const auto *comparison = std::get_if<smt::Binary>(&terms[s]), *other = std::get_if<smt::Binary>(&terms[i]);
    if (comparison != nullptr && other != nullptr && is_same_comparison(*comparison, *other)) { return true; }
    for (const Term t : {s, i}) {
        const auto* binary = std::get_if<smt::Binary>(&terms[t]);
        if (binary != nullptr && binary->op != BinaryOp::add &&
            value::is_associative(binary->op, terms.type(binary->a), is_real(s))) {
            return is_reordered(s, i, binary->op);
        }
    }
    return is_same_operation(s, i);
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
        const auto partner = std::ranges::find_if(i, [&](Term theirs) { return is_same_number(mine, theirs); });
        if (partner == i.end()) { return false; }
        i.erase(partner);
        return true;
    });
}

// --- Sums and products

bool Prover::is_same_sum(Term s, Term i) {
    Polynomials polynomials(values_, is_real(s));
    const auto a = polynomials.of_defined(s, Ring::modular, false);
    const auto b = polynomials.of_claimed(i, Ring::modular, false);
    if (!a || !b) { return false; }
    if (are_paired(*a, *b)) { return true; }
    const auto is_product = [&](const auto& summand) {
        return std::ranges::any_of(summand.first, [&](Term t) { return polynomials.is_arithmetic(t); });
    };
    if (std::ranges::none_of(a->coefficients, is_product) && std::ranges::none_of(b->coefficients, is_product)) {
        return false;
    }
    const auto x = polynomials.of_defined(s, Ring::modular, true);
    const auto y = polynomials.of_claimed(i, Ring::modular, true);
    return x && y && are_same(*x, *y);
}

// Cancels parts with the same multiple, and pairs the others. A part of the implementation alone that adds up to zero
// might be Undef.
bool Prover::are_paired(const Polynomial& s, const Polynomial& i) {
    std::map<std::int64_t, std::pair<std::vector<Term>, std::vector<Term>>> others;
    const auto add = [&](const Polynomial& of, const Polynomial& than, bool is_implementation) {
        return std::ranges::all_of(of.coefficients, [&](const auto& summand) {
            const auto& [factors, multiple] = summand;
            ENSURE(factors.size() <= 1, "products are parts of a sum as they are");
            const auto same = than.coefficients.find(factors);
            if (same != than.coefficients.end() && same->second == multiple) { return true; }
            if (factors.empty()) { return multiple == 0; }
            if (multiple == 0) {
                return !is_implementation || same != than.coefficients.end() ||
                       values_.is_always_defined(factors.front());
            }
            auto& [mine, theirs] = others[multiple];
            (is_implementation ? theirs : mine).push_back(factors.front());
            return true;
        });
    };
    return add(s, i, false) && add(i, s, true) && std::ranges::all_of(others, [&](const auto& entry) {
               return are_paired(entry.second.first, entry.second.second);
           });
}

// The terms may have any types.
bool Prover::is_same_number(Term s, Term i) {
    const Type type = values_.type(i);
    const bool holds = value::is_integer(type) && values_.fits(s, type);
    return is_aligned(holds ? values_.cast(type, s) : s, i);
}

// Equality up to factors that are shown to be the same.
bool Prover::are_same(const Polynomial& s, const Polynomial& i) {
    const auto factors_of = [](const Polynomial& p) {
        std::set<Term> all;
        for (const auto& [factors, c] : p.coefficients) { all.insert(factors.begin(), factors.end()); }
        return all;
    };
    const std::set<Term> mine = factors_of(s), theirs = factors_of(i);
    std::vector<Term> only_mine, only_theirs;
    std::ranges::set_difference(mine, theirs, std::back_inserter(only_mine));
    std::ranges::set_difference(theirs, mine, std::back_inserter(only_theirs));
    if (only_mine.size() > most_paired || only_theirs.size() > most_paired) { return false; }
    std::map<Term, Term> names;
    for (const Term t : only_theirs) {
        const auto partner = std::ranges::find_if(only_mine, [&](Term m) { return is_same_number(m, t); });
        if (partner != only_mine.end()) {
            names.emplace(t, *partner);
            only_mine.erase(partner);
        } else if (!values_.is_always_defined(t)) {
            return false;
        }
    }
    std::map<std::vector<Term>, std::int64_t> rest;
    for (const auto& [factors, c] : s.coefficients) { rest[factors] = c; }
    for (const auto& [factors, c] : i.coefficients) {
        std::vector<Term> renamed;
        for (const Term t : factors) { renamed.push_back(names.contains(t) ? names.at(t) : t); }
        std::ranges::sort(renamed);
        std::int64_t& left = rest[renamed];
        if (__builtin_sub_overflow(left, c, &left)) { return false; }
    }
    return std::ranges::all_of(rest, [](const auto& summand) { return summand.second == 0; });
}

// Compares the signs of the operands' differences. New values may move existing ones.
bool Prover::is_same_comparison(const smt::Binary s, const smt::Binary i) {
    Polynomials polynomials(values_, is_real(s.a) || is_real(s.b));
    const Type type = values_.type(s.a), other = values_.type(i.a);
    const bool is_of_one = type == other || (value::is_integer(type) && value::is_integer(other));
    const bool is_one = s.op == i.op && (s.op == BinaryOp::lt || s.op == BinaryOp::le || s.op == BinaryOp::eq);
    const std::array<Term, 4> operands{s.a, s.b, i.a, i.b};
    if (!is_one || !is_of_one || std::ranges::none_of(operands, [&](Term t) { return polynomials.is_arithmetic(t); })) {
        return false;
    }
    constexpr auto integers = Ring::integers;
    const auto a = polynomials.of_defined(s.a, integers, true), b = polynomials.of_defined(s.b, integers, true);
    const auto c = polynomials.of(i.a, integers, true), d = polynomials.of(i.b, integers, true);
    if (!a || !b || !c || !d) { return false; }
    const auto mine = minus(*b, *a), theirs = minus(*d, *c), turned = minus(*c, *d);
    if (!mine || !theirs || !turned) { return false; }
    return are_same(*mine, *theirs) || (s.op == BinaryOp::eq && are_same(*mine, *turned));
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
    if (rewrite::is_idempotent(op)) {
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

// Parts that are cut off become unknowns, which makes the claim stronger.
std::optional<Prover::Question> Prover::question(Term s, Term i, std::optional<int> depth_of_cuts) const {
    const smt::Terms& terms = values_.terms();
    Question asked;
    std::unordered_map<Term, int> sides;  // how many of the two reach a term
    for (const Term root : {s, i}) {
        const auto reached = values_.below({root}, most_reached);
        if (!reached) { return std::nullopt; }
        for (const Term t : *reached) { ++sides[t]; }
    }
    std::map<Term, Term> copies;
    std::uint32_t unknowns = 0;
    int depth = 0;
    // `shared`: the number of operators above it that are in both terms.
    const std::function<std::optional<Term>(Term, int)> copy = [&](Term t, int shared) -> std::optional<Term> {
        if (const auto known = copies.find(t); known != copies.end()) { return known->second; }
        if (copies.size() > most_terms || depth > most_depth) { return std::nullopt; }
        const auto made = [&](Term c) {
            copies.emplace(t, c);
            return std::optional(c);
        };
        const Type type = terms.type(t);
        const smt::Node& node = terms[t];
        const auto unknown = [&] {
            if (values_.is_never_undef(t)) { return asked.terms.atom(type, unknowns++); }
            return asked.terms.cell({"unknown " + std::string(value::name(type)),
                                     0,
                                     type,
                                     smt::Definedness::may_be_undef,
                                     {affine::Affine{unknowns++, {}, {}}}});
        };
        if (std::holds_alternative<smt::Atom>(node)) {
            const Term leaf = unknown();
            if (values_.is_never_undef(t)) { asked.leaves.emplace_back(leaf, t); }
            return made(leaf);
        }
        const bool is_shared = sides[t] == 2 && values_.literal_of(t) == nullptr;
        if (is_shared && shared == depth_of_cuts) {
            asked.has_cuts = true;
            return made(unknown());
        }
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

// A text that is the same for questions that differ only in their cells. (Terms are numbered in order of creation.)
std::string Prover::shape(const Question& question, bool is_real, smt::Equality equality) {
    std::string text = equality == smt::Equality::same_number ? "number" : "result";
    if (is_real) { text += " real"; }
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
    // Many times cheaper than a solver.
    constexpr std::uint64_t rounds = 400;
    if (auto inputs = difference(s, i, equality, rounds, {})) {
        note(std::move(*inputs));
        return false;
    }
    constexpr std::array<std::optional<int>, 4> depths{0, 3, 8, std::nullopt};
    for (std::size_t k = 0; k < depths.size(); ++k) {
        const auto asked = question(s, i, depths[k]);
        if (!asked) { break; }
        // A pair that is known up to rounding is never put to the solver as IEEE floats.
        const bool real = is_real(s) || is_real(i);
        const auto [holds, is_new] = shapes_.try_emplace(shape(*asked, real, equality), false);
        if (is_new) {
            if (is_spent(1)) { break; }
            // A larger budget for a question with fewer cuts.
            const std::size_t weaker = asked->has_cuts ? depths.size() - 1 - k : 0;
            const smt::Outcome outcome = put(*asked, real, equality, effort_.rlimit >> weaker);
            holds->second = outcome.holds();
            const smt::Model* model = outcome.counterexample();
            if (model != nullptr && !asked->has_cuts) { keep(*model, *asked, s, i, equality); }
        }
        if (holds->second) { return known->second = true; }
        if (!asked->has_cuts) { break; }
    }
    return false;
}

// Real numbers in a model are rounded.
void Prover::keep(const smt::Model& model, const Question& question, Term s, Term i, smt::Equality equality) {
    Samples::Inputs inputs;
    for (const smt::AtomValue& atom : model.atoms) {
        const auto leaf = std::ranges::find_if(question.leaves, [&](const auto& entry) {
            return std::get<smt::Atom>(question.terms[entry.first]) == atom.atom;
        });
        if (leaf == question.leaves.end()) { continue; }
        inputs.emplace(leaf->second, atom.value);
    }
    if (difference(s, i, equality, 1, inputs)) { note(std::move(inputs)); }
}

void Prover::note(Samples::Inputs inputs) {
    constexpr std::size_t most = 16;
    differences_.push_front(std::move(inputs));
    if (differences_.size() > most) { differences_.pop_back(); }
}

smt::Outcome Prover::put(const Question& question, bool is_real, smt::Equality equality, std::uint64_t rlimit) {
    smt::Query query;
    query.domain = {affine::Conjunction{}};
    query.specification = question.specification;
    query.implementation = question.implementation;
    query.floats = is_real ? smt::Floats::real : smt::Floats::ieee;
    query.equality = equality;
    if (const std::uint64_t gates = smt::gates(question.terms, query); gates > effort_.most_gates) {
        beyond_ = "a query of " + std::to_string(gates) + " gates is not put";
        return {smt::Unknown{beyond_}};
    }
    smt::Outcome outcome = solvers_.refines(question.terms, query, rlimit);
    ++queries_;
    rlimit_ += outcome.rlimit_spent;
    return outcome;
}

}  // namespace haruspex::refinement
