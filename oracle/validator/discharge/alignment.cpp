#include "oracle/validator/discharge/alignment.h"

#include <algorithm>

#include "generators/affine/comparison.h"
#include "generators/affine/context.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/base/overload.h"
#include "oracle/rewrite/properties.h"
#include "oracle/validator/discharge/simplify.h"

namespace haruspex::validator {
namespace {

using value::BinaryOp;
using value::Type;

constexpr int most_operators = 64;
constexpr int most_stalled = 16;
constexpr unsigned most_pieces = 40;  // of the environments; in more, no cell is unfolded

// Whether two operators are the same, with the same types of operands.
bool same_operator(const Term& a, const Term& b) {
    if (a->type != b->type || a->what.index() != b->what.index()) { return false; }
    return std::visit(Overload{[&](const term::Unary& n) {
                                   const auto& m = std::get<term::Unary>(b->what);
                                   return n.op == m.op && n.a->type == m.a->type;
                               },
                               [&](const term::Binary& n) {
                                   const auto& m = std::get<term::Binary>(b->what);
                                   return n.op == m.op && n.a->type == m.a->type;
                               },
                               [&](const term::Cast& n) { return n.a->type == std::get<term::Cast>(b->what).a->type; },
                               [](const term::Select&) { return true; }, [](const auto&) { return false; }},
                      a->what);
}

bool same_kind(const Term& a, const Term& b) {
    return same_operator(a, b) || (operands(a).empty() && a->what.index() == b->what.index());
}

// The n for which b * t is the sum of n operands b, if n is small.
std::optional<std::int64_t> multiplicity(const Term& t) {
    constexpr std::int64_t few = 8;
    const auto* literal = as<term::Literal>(t);
    if (literal == nullptr || !literal->value.is_defined()) { return std::nullopt; }
    for (std::int64_t n = 2; n <= few; ++n) {
        if (literal->value == value::Value::integer(t->type, n)) { return n; }
    }
    return std::nullopt;
}

// Collects the operands of a chain of one operator; for a sum, also those of differences and of small multiples. A
// shared term contributes its operands as often as it is used; if there are too many, parts of the chain stay whole.
constexpr std::size_t most_operands = 2'000;

void flatten(const Term& t, BinaryOp op, std::vector<Term>& operands) {
    const auto* binary = operands.size() < most_operands ? as<term::Binary>(t) : nullptr;
    if (binary != nullptr && binary->op == op) {
        flatten(binary->a, op, operands);
        flatten(binary->b, op, operands);
        return;
    }
    if (binary != nullptr && op == BinaryOp::add && binary->op == BinaryOp::sub) {
        flatten(binary->a, op, operands);
        const auto minus_one = make_literal(value::Value::integer(t->type, -1));
        operands.push_back(make_binary(BinaryOp::mul, binary->b, minus_one));
        return;
    }
    if (binary != nullptr && op == BinaryOp::add && binary->op == BinaryOp::mul) {
        for (const auto& [operand, factor] : {std::pair(binary->a, binary->b), std::pair(binary->b, binary->a)}) {
            const auto times = multiplicity(factor);
            if (!times) { continue; }
            for (std::int64_t n = 0; n < *times; ++n) { flatten(operand, op, operands); }
            return;
        }
    }
    operands.push_back(t);
}

// Removes neutral elements. If nothing is left of two chains, both were neutral.
void drop_neutral(BinaryOp op, std::vector<Term>& operands) {
    std::erase_if(operands, [&](const Term& t) {
        const auto* literal = as<term::Literal>(t);
        const auto neutral = literal == nullptr ? std::nullopt : rewrite::neutral_element(op, t->type);
        return neutral && literal->value == *neutral;
    });
}

std::pair<std::vector<Term>, std::vector<Term>> flattened(BinaryOp op, const Term& s, const Term& i) {
    std::pair<std::vector<Term>, std::vector<Term>> chains;
    flatten(s, op, chains.first);
    flatten(i, op, chains.second);
    return chains;
}

// Matches a difference and a sum with a literal, in either order; returns the sum written as a difference.
std::optional<std::pair<Term, Term>> differences(const Term& s, const Term& i) {
    const auto* mine = as<term::Binary>(s);
    const auto* theirs = as<term::Binary>(i);
    if (mine == nullptr || theirs == nullptr || s->type != i->type) { return std::nullopt; }
    const auto as_difference = [](const term::Binary& sum) -> std::optional<Term> {
        const auto* literal = as<term::Literal>(sum.b);
        if (sum.op != BinaryOp::add || literal == nullptr) { return std::nullopt; }
        const auto opposite = value::apply(BinaryOp::sub, value::Value::integer(sum.b->type, 0), literal->value);
        // The least number is its own opposite, or has none; and -0.0 + 0.0 is not -0.0 - 0.0.
        const bool is_exact = opposite.is_defined() && opposite != literal->value;
        return is_exact ? std::optional(make_binary(BinaryOp::sub, sum.a, make_literal(opposite))) : std::nullopt;
    };
    if (mine->op == BinaryOp::sub) {
        if (auto difference = as_difference(*theirs)) { return std::pair(s, *difference); }
    }
    if (theirs->op == BinaryOp::sub) {
        if (auto difference = as_difference(*mine)) { return std::pair(*difference, i); }
    }
    return std::nullopt;
}

// The index from which alone an n-bit integer or a float is computed, and the environments in which the integer is
// defined and the index modulo 2^n, or the float is the index rounded once.
struct EmbeddedIndex {
    isl::pw_aff index;
    isl::set is_defined;
};

isl::set fits(const isl::pw_aff& index, Type type) {
    const affine::Interval all = integers_of(type);
    return index.ge_set(affine::constant(index.ctx(), all.low))
        .intersect(index.le_set(affine::constant(index.ctx(), all.high)));
}

std::optional<EmbeddedIndex> embedded_index(const Term& t) {
    if (t->type == Type::boolean) { return std::nullopt; }
    std::optional<EmbeddedIndex> found;
    Type from = t->type;
    if (const auto* embed = as<term::Embed>(t)) {
        found = {embed->index, embed->index.domain()};
    } else if (const auto* cast = as<term::Cast>(t); cast != nullptr && value::is_integer(cast->a->type)) {
        found = embedded_index(cast->a);
        from = cast->a->type;
    }
    if (!found) { return std::nullopt; }
    // A value that has wrapped may wrap again in fewer bits; otherwise it has to be the index itself.
    const bool may_overflow = value::overflow_is_undefined(t->type);
    const bool is_rounded = value::is_float(t->type) && from != t->type;
    if (may_overflow || is_rounded || value::bits(t->type) > value::bits(from)) {
        found->is_defined = found->is_defined.intersect(fits(found->index, from));
    }
    if (may_overflow) { found->is_defined = found->is_defined.intersect(fits(found->index, t->type)); }
    return found;
}

// The environments in which two terms are defined and equal, if both are computed from indices alone.
std::optional<isl::set> equal_embedded(const Term& s, const Term& i) {
    const auto mine = s->type == i->type ? embedded_index(s) : std::nullopt;
    const auto theirs = mine ? embedded_index(i) : std::nullopt;
    if (!theirs) { return std::nullopt; }
    return mine->index.eq_set(theirs->index).intersect(mine->is_defined).intersect(theirs->is_defined);
}

Term truth_literal(bool b) { return make_literal(value::Value::boolean(b)); }

// The environments in which two lists of indices are the same; right where all of them have values.
isl::set equal_indices(const std::vector<isl::pw_aff>& a, const std::vector<isl::pw_aff>& b, isl::ctx ctx) {
    isl::set equal = affine::everywhere(ctx);
    for (std::size_t d = 0; d < a.size(); ++d) {
        if (!a[d].plain_is_equal(b[d])) { equal = equal.intersect(a[d].eq_set(b[d])); }
    }
    return equal;
}

}  // namespace

bool have_same_values(const std::vector<isl::pw_aff>& a, const std::vector<isl::pw_aff>& b, const isl::set& where) {
    return std::ranges::equal(
        a, b, [&](const isl::pw_aff& x, const isl::pw_aff& y) { return affine::are_same(x, y, where); });
}

isl::set Alignment::unproved(const Term& s, const Term& i, const isl::set& environments) {
    unfoldings_ = 0;
    allowance_ = 0;
    asked_.clear();
    return prove(s, i, environments, {});
}

// Terms share subterms, and the same pairs are met again and again, so answers are cached.
isl::set Alignment::prove(const Term& s, const Term& i, const isl::set& left, Depth depth) {
    affine::spend(1);
    const bool may_be_asked_again = !operands(s).empty() && !operands(i).empty();
    if (!may_be_asked_again) { return prove_anew(s, i, left, depth); }
    std::vector<Asked>& before = asked_[{s.get(), i.get()}];
    for (const Asked& asked : before) {
        if (asked.depth.covers(depth) && affine::is_written_alike(asked.environments, left)) { return asked.unproved; }
    }
    const isl::set unproved = prove_anew(s, i, left, depth);
    asked_[{s.get(), i.get()}].push_back({s, i, left, depth, unproved});
    return unproved;
}

isl::set Alignment::prove_anew(const Term& s, const Term& i, isl::set left, Depth depth) {
    if (left.is_empty() || depth.operators > most_operators || depth.stalled > most_stalled) { return left; }
    const isl::set nothing = left.subtract(left);
    const auto* s_literal = as<term::Literal>(s);
    const auto* i_literal = as<term::Literal>(i);
    // Where the specification is Undef, nothing has to be shown.
    if (s_literal != nullptr && s_literal->value.is_undef()) { return nothing; }
    for (const bool is_specification : {true, false}) {
        const auto* truth = as<term::Truth>(is_specification ? s : i);
        if (truth == nullptr) { continue; }
        const auto with = [&](bool b, const isl::set& where) {
            const Term t = truth_literal(b);
            return is_specification ? prove(t, i, where, depth) : prove(s, t, where, depth);
        };
        return with(true, left.intersect(truth->condition)).unite(with(false, left.subtract(truth->condition)));
    }
    if (const auto* choice = as<term::Choice>(i)) {
        isl::set rest = nothing;
        for (const auto& [environments, value] : choice->cases) {
            rest = rest.unite(prove(s, value, left.intersect(environments), depth));
            left = left.subtract(environments);
        }
        return rest.unite(left);
    }
    if (s_literal != nullptr && i_literal != nullptr) {
        // Inside other operators the sign of a zero matters.
        const bool same =
            i_literal->value.is_defined() && (is_real() ? value::same_number(s_literal->value, i_literal->value)
                                                        : value::same_result(s_literal->value, i_literal->value));
        return same ? nothing : left;
    }
    const auto* s_cell = as<term::Cell>(s);
    const auto* i_cell = as<term::Cell>(i);
    if (s_cell != nullptr && i_cell != nullptr && s_cell->tensor == i_cell->tensor &&
        s_cell->component == i_cell->component) {
        isl::set apart = nothing;
        for (std::size_t d = 0; d < s_cell->indices.size(); ++d) {
            apart = apart.unite(affine::differing(s_cell->indices[d], i_cell->indices[d], left));
        }
        left = apart;
        if (left.is_empty()) { return left; }
    }
    const auto* s_embed = as<term::Embed>(s);
    const auto* i_embed = as<term::Embed>(i);
    if (s_embed != nullptr && i_embed != nullptr && s->type == i->type) {
        return affine::differing(s_embed->index, i_embed->index, left);
    }
    if (const auto equal = equal_embedded(s, i)) {
        left = left.subtract(*equal);
        if (left.is_empty()) { return left; }
    }
    const std::set<BinaryOp> associative = associative_operators(s, i);
    // Chains that cancel need no unfolding, which seldom ends where operands are grouped differently.
    if (std::ranges::any_of(associative, [&](BinaryOp op) { return cancels(op, s, i, left); })) { return nothing; }
    if (same_operator(s, i)) {
        left = prove_operands(s, i, left, depth);
        if (left.is_empty()) { return left; }
    }
    if (const auto sums = differences(s, i)) {
        left = prove_operands(sums->first, sums->second, left, depth);
        if (left.is_empty()) { return left; }
    }
    for (const BinaryOp op : associative) {
        auto [a, b] = flattened(op, s, i);
        allowance_ = std::max(allowance_, a.size() + b.size());
        left = prove_associative(op, std::move(a), std::move(b), left, depth.below());
        if (left.is_empty()) { return left; }
    }
    left = prove_selection(s, i, left, depth);
    if (left.is_empty()) { return left; }
    left = prove_neutral(s, i, left, depth);
    if (left.is_empty()) { return left; }
    return prove_unfolded(s, i, left, depth);
}

// Proves the case of an operand whose cell is defined as the operator's neutral element: a compiler that knows this
// leaves it out.
isl::set Alignment::prove_neutral(const Term& s, const Term& i, const isl::set& left, Depth depth) {
    const auto* binary = as<term::Binary>(s);
    if (binary == nullptr || same_operator(s, i) || left.n_basic_set() > most_pieces) { return left; }
    const auto neutral = rewrite::neutral_element(binary->op, binary->a->type);
    if (!neutral) { return left; }
    isl::set rest = left;
    const bool is_commutative = value::is_commutative(binary->op, binary->a->type);
    for (const auto& [one, other] : {std::pair(binary->a, binary->b), std::pair(binary->b, binary->a)}) {
        const auto* cell = as<term::Cell>(other);
        const bool may_be = cell != nullptr && !specification_.is_input(cell->tensor);
        if (!may_be || (one != binary->a && !is_commutative)) { continue; }
        for (const Specification::Case& c : specification_.unfold(*cell, rest).cases) {
            const auto* literal = as<term::Literal>(c.value);
            if (literal == nullptr || literal->value != *neutral) { continue; }
            rest = rest.subtract(c.environments).unite(prove(one, i, c.environments, depth.below()));
        }
    }
    return rest;
}

isl::set Alignment::prove_operands(const Term& s, const Term& i, const isl::set& left, Depth depth) {
    const std::vector<Term> a = operands(s), b = operands(i);
    const auto in_order = [&](const std::vector<std::size_t>& order, const isl::set& where) {
        isl::set rest = where.subtract(where);
        for (std::size_t k = 0; k < a.size(); ++k) {
            rest = rest.unite(prove(a[k], b[order[k]], where.subtract(rest), depth.below()));
        }
        return rest;
    };
    const auto* binary = as<term::Binary>(s);
    if (binary == nullptr) { return a.size() == 1 ? in_order({0}, left) : in_order({0, 1, 2}, left); }
    if (!commutes(*binary)) { return in_order({0, 1}, left); }
    // Finding out that a cell differs from another operator's result takes long, so the more similar order is tried
    // first.
    const auto similar = [&](std::size_t first) {
        return (same_kind(a[0], b[first]) ? 1 : 0) + (same_kind(a[1], b[1 - first]) ? 1 : 0);
    };
    const std::size_t first = similar(1) > similar(0) ? 1 : 0;
    const isl::set rest = in_order({first, 1 - first}, left);
    return rest.is_empty() ? rest : in_order({1 - first, first}, rest);
}

// The operators of chains, on either side, whose operands may be reordered; a small multiple is a sum as well.
std::set<BinaryOp> Alignment::associative_operators(const Term& s, const Term& i) const {
    std::set<BinaryOp> found;
    for (const Term& t : {s, i}) {
        const auto* binary = as<term::Binary>(t);
        if (binary == nullptr) { continue; }
        const bool is_sum = binary->op == BinaryOp::sub ||
                            (binary->op == BinaryOp::mul && (multiplicity(binary->a) || multiplicity(binary->b)));
        for (const BinaryOp op : {binary->op, is_sum ? BinaryOp::add : binary->op}) {
            if (value::is_associative(op, binary->a->type, is_real())) { found.insert(op); }
        }
    }
    return found;
}

// Compares chains of an associative and commutative operator: operands that are equal everywhere cancel; while some are
// left, a tensor's cell among them is unfolded.
isl::set Alignment::prove_associative(BinaryOp op, Operands s, Operands i, const isl::set& left, Depth depth) {
    if (left.is_empty() || depth.operators > most_operators || depth.stalled > most_stalled) { return left; }
    for (Operands* side : {&s, &i}) { drop_neutral(op, *side); }
    const auto cancelled = cancel(op, s, i, left);
    if (s.empty() && i.empty()) { return left.subtract(left); }
    // The cell of the tensor of highest rank. Of both sides' the higher one is unfolded below, the specification's on a
    // tie.
    const auto last = [&](const Operands& operands) {
        const term::Cell* found = nullptr;
        for (const Term& operand : operands) {
            const auto* cell = as<term::Cell>(operand);
            if (cell == nullptr || specification_.is_input(cell->tensor)) { continue; }
            if (found == nullptr || specification_.rank(cell->tensor) > specification_.rank(found->tensor)) {
                found = cell;
            }
        }
        return found;
    };
    // An operand that unfolding a recurrence yields is soon equal to one of the other side, or never.
    const Depth next = cancelled > 0 ? depth : depth.below_stalled(most_stalled / 8);
    const auto unfolded = [&](Operands& side, const Operands& other, const term::Cell& cell) {
        isl::set rest = left.subtract(left), apart = left;
        // Where it is equal to a cell of the other side, it cancels.
        for (const Term& operand : other) {
            const auto* same = as<term::Cell>(operand);
            if (same == nullptr || same->tensor != cell.tensor || same->component != cell.component) { continue; }
            const isl::set equal = apart.intersect(equal_indices(cell.indices, same->indices, left.ctx()));
            if (equal.is_empty()) { continue; }
            rest = rest.unite(prove_associative(op, s, i, equal, depth.below()));
            apart = apart.subtract(equal);
        }
        // One of them only: a sum may have an operand twice.
        side.erase(std::ranges::find_if(side, [&](const Term& t) { return as<term::Cell>(t) == &cell; }));
        return rest.unite(unfold(cell, apart, [&](const Term& value, const isl::set& here) {
            const std::size_t before = side.size();
            flatten(value, op, side);
            const isl::set left_here = prove_associative(op, s, i, here, next);
            side.resize(before);
            return left_here;
        }));
    };
    const term::Cell* mine = last(s);
    const term::Cell* theirs = last(i);
    if (mine == nullptr && theirs == nullptr) {
        // The two operands that are left may be equal for other reasons.
        return s.size() == 1 && i.size() == 1 ? prove(s[0], i[0], left, depth.below()) : left;
    }
    if (mine != nullptr &&
        (theirs == nullptr || specification_.rank(theirs->tensor) <= specification_.rank(mine->tensor))) {
        return unfolded(s, i, *mine);
    }
    return unfolded(i, s, *theirs);
}

// Whether all operands of two chains cancel.
bool Alignment::cancels(BinaryOp op, const Term& s, const Term& i, const isl::set& left) const {
    auto [a, b] = flattened(op, s, i);
    if (!rewrite::is_idempotent(op) && a.size() != b.size()) { return false; }
    cancel(op, a, b, left);
    return a.empty() && b.empty();
}

// Removes operands that are on both sides; returns how many.
std::size_t Alignment::cancel(BinaryOp op, Operands& s, Operands& i, const isl::set& left) const {
    return rewrite::is_idempotent(op) ? cancel_sets(s, i, left) : cancel_multisets(s, i, left);
}

// Cancels operands one for one.
std::size_t Alignment::cancel_multisets(Operands& s, Operands& i, const isl::set& left) const {
    // Operands that are written alike come first: they are most of a long chain, and isl takes long to see that two
    // cells differ.
    const auto matching = [&](auto is_match) {
        return std::erase_if(s, [&](const Term& operand) {
            affine::spend(1 + i.size() / 16);
            const auto match = std::ranges::find_if(i, [&](const Term& other) { return is_match(operand, other); });
            if (match == i.end()) { return false; }
            i.erase(match);
            return true;
        });
    };
    const auto alike = matching([](const Term& operand, const Term& other) {
        const auto *a = as<term::Cell>(operand), *b = as<term::Cell>(other);
        return operand == other || (a != nullptr && b != nullptr && is_written_alike(*a, *b));
    });
    return alike + matching([&](const Term& operand, const Term& other) { return is_aligned(operand, other, left); });
}

// Cancels operands however often they occur.
std::size_t Alignment::cancel_sets(Operands& s, Operands& i, const isl::set& left) const {
    const Operands all = s;
    const auto cancelled = std::erase_if(s, [&](const Term& operand) {
        return std::ranges::any_of(i, [&](const Term& other) { return is_aligned(operand, other, left); });
    });
    std::erase_if(i, [&](const Term& other) {
        return std::ranges::any_of(all, [&](const Term& operand) { return is_aligned(operand, other, left); });
    });
    return cancelled;
}

// Whether two terms are equal as they stand, without unfolding.
bool Alignment::is_aligned(const Term& s, const Term& i, const isl::set& where) const {
    affine::spend(1);
    if (s == i && as<term::Literal>(s) == nullptr && !s->mentions_uninit && !s->mentions_unknown) { return true; }
    if (s->type != i->type) { return false; }
    if (s->what.index() != i->what.index()) {
        const auto equal = equal_embedded(s, i);
        return equal && where.is_subset(*equal);
    }
    if (const auto* a = as<term::Literal>(s)) { return a->value == as<term::Literal>(i)->value; }
    if (const auto* a = as<term::Cell>(s)) {
        const auto* b = as<term::Cell>(i);
        return a->tensor == b->tensor && a->component == b->component &&
               have_same_values(a->indices, b->indices, where);
    }
    if (const auto* a = as<term::Embed>(s)) { return affine::are_same(a->index, as<term::Embed>(i)->index, where); }
    if (!same_operator(s, i)) { return false; }
    const Operands a = operands(s), b = operands(i);
    const auto in_order = [&](std::size_t first) {
        for (std::size_t k = 0; k < a.size(); ++k) {
            if (!is_aligned(a[k], b[k == 0 ? first : k == 1 && first == 1 ? 0 : k], where)) { return false; }
        }
        return true;
    };
    if (in_order(0)) { return true; }
    const auto* binary = as<term::Binary>(s);
    return binary != nullptr && commutes(*binary) && in_order(1);
}

// Proves the cases of an operand that alone decides, and of a select with a known condition. Selects are eager: the
// specification's is defined only if both of its arms are; the implementation's arm that is not chosen must never be
// Undef.
isl::set Alignment::prove_selection(const Term& s, const Term& i, const isl::set& left, Depth depth) {
    const auto chosen = [&](const term::Select& select, const isl::set& where, auto prove_arm) {
        if (const auto* truth = as<term::Truth>(select.condition)) {
            return prove_arm(select.if_true, select.if_false, where.intersect(truth->condition))
                .unite(prove_arm(select.if_false, select.if_true, where.subtract(truth->condition)));
        }
        const auto* literal = as<term::Literal>(select.condition);
        if (literal == nullptr || !literal->value.is_defined()) { return where; }
        return literal->value.as_bool() ? prove_arm(select.if_true, select.if_false, where)
                                        : prove_arm(select.if_false, select.if_true, where);
    };
    isl::set rest = left;
    if (const auto* binary = as<term::Binary>(s)) {
        // The operand of the specification that is left out may be Undef: then nothing has to be shown.
        const auto absorbing = rewrite::absorbing_element(binary->op, binary->a->type);
        for (const Term& operand : {binary->a, binary->b}) {
            const auto* literal = as<term::Literal>(operand);
            const bool decides = absorbing && literal != nullptr && literal->value == *absorbing;
            if (decides) { rest = prove(operand, i, rest, depth.below()); }
        }
    }
    if (const auto* select = as<term::Select>(s)) {
        rest = chosen(*select, rest, [&](const Term& arm, const Term&, const isl::set& where) {
            return prove(arm, i, where, depth.below());
        });
    }
    if (const auto* select = as<term::Select>(i); select != nullptr && !rest.is_empty()) {
        rest = chosen(*select, rest, [&](const Term& arm, const Term& other, const isl::set& where) {
            return specification_.is_total(other) ? prove(s, arm, where, depth.below()) : where;
        });
    }
    return rest;
}

isl::set Alignment::prove_unfolded(const Term& s, const Term& i, const isl::set& left, Depth depth) {
    const auto* s_cell = as<term::Cell>(s);
    const auto* i_cell = as<term::Cell>(i);
    const bool can_s = s_cell != nullptr && !specification_.is_input(s_cell->tensor);
    const bool can_i = i_cell != nullptr && !specification_.is_input(i_cell->tensor);
    if ((can_s || can_i) && sampling_ != nullptr && sampling_->differ(s, i, left)) { return left; }
    const auto specification = [&](const isl::set& where, Depth next) {
        return unfold(*s_cell, where,
                      [&](const Term& value, const isl::set& here) { return prove(value, i, here, next); });
    };
    const auto implementation = [&](const isl::set& where, Depth next) {
        return unfold(*i_cell, where,
                      [&](const Term& value, const isl::set& here) { return prove(s, value, here, next); });
    };
    if (can_s && can_i && s_cell->tensor == i_cell->tensor) {
        // For a recurrence, the later step is unfolded, whose value is made from earlier ones. Two different steps are
        // seldom the same for long.
        const Depth next = depth.unfolded(most_stalled / 4);
        const isl::set later = specification_.later(*i_cell, *s_cell);
        return specification(left.subtract(later), next).unite(implementation(left.intersect(later), next));
    }
    const bool is_later = can_s && can_i && specification_.rank(i_cell->tensor) > specification_.rank(s_cell->tensor);
    if (can_s && !is_later) { return specification(left, depth.unfolded(1)); }
    return can_i ? implementation(left, depth.unfolded(1)) : left;
}

isl::set Alignment::unfold(const term::Cell& cell, const isl::set& left,
                           const std::function<isl::set(const Term&, const isl::set&)>& prove_case) {
    const bool is_too_much = left.n_basic_set() > most_pieces || ++unfoldings_ > most_unfoldings_ + allowance_;
    if (left.is_empty() || is_too_much) { return left; }
    const Specification::Unfolding unfolding = specification_.unfold(cell, left);
    isl::set rest = unfolding.undefined;
    for (const Specification::Case& c : unfolding.cases) {
        rest = rest.unite(prove_case(simplified(c.value, c.environments, specification_), c.environments));
    }
    return rest;
}

}  // namespace haruspex::validator
