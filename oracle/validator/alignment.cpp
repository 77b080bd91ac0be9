#include "oracle/validator/alignment.h"

#include <algorithm>

#include "generators/base/overload.h"

namespace haruspex::validator {
namespace {

using value::BinaryOp;
using value::Type;

constexpr int most_depth = 64;

bool is_commutative(BinaryOp op, Type type, bool exact_reals) {
    switch (op) {
        case BinaryOp::add:
        case BinaryOp::mul:
        case BinaryOp::eq:
        case BinaryOp::ne:
        case BinaryOp::logical_and:
        case BinaryOp::logical_or:
        case BinaryOp::bit_and:
        case BinaryOp::bit_or:
        case BinaryOp::bit_xor: return true;
        // Of zeros with opposite sign the second.
        case BinaryOp::min:
        case BinaryOp::max: return !value::is_float(type) || exact_reals;
        default: return false;
    }
}

// What an operator's kind compares alike, apart from its operands.
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

// The operands of a chain of one operator.
void flatten(const Term& t, BinaryOp op, std::vector<Term>& operands) {
    const auto* binary = as<term::Binary>(t);
    if (binary == nullptr || binary->op != op) {
        operands.push_back(t);
        return;
    }
    flatten(binary->a, op, operands);
    flatten(binary->b, op, operands);
}

Term truth_literal(bool b) { return make_literal(value::Value::boolean(b)); }

}  // namespace

isl::set equal_indices(const std::vector<isl::pw_aff>& a, const std::vector<isl::pw_aff>& b, isl::ctx ctx) {
    isl::set equal = isl::set::universe(isl::space::unit(ctx));
    for (std::size_t d = 0; d < a.size(); ++d) { equal = equal.intersect(a[d].eq_set(b[d])); }
    return equal;
}

bool Alignment::is_associative(BinaryOp op, Type type) const {
    const bool overflows = type == Type::i32 || type == Type::i64;
    switch (op) {
        case BinaryOp::add:
        case BinaryOp::mul: return value::is_float(type) ? exact_reals_ : !overflows;
        case BinaryOp::min:
        case BinaryOp::max: return !value::is_float(type) || exact_reals_;
        case BinaryOp::logical_and:
        case BinaryOp::logical_or:
        case BinaryOp::bit_and:
        case BinaryOp::bit_or:
        case BinaryOp::bit_xor: return true;
        default: return false;
    }
}

isl::set Alignment::unproved(const Term& s, const Term& i, const isl::set& environments) {
    unfoldings_ = 0;
    return prove(s, i, environments, 0);
}

isl::set Alignment::prove(const Term& s, const Term& i, isl::set left, int depth) {
    if (left.is_empty() || depth > most_depth) { return left; }
    const isl::set nothing = left.subtract(left);
    const auto* s_literal = as<term::Literal>(s);
    const auto* i_literal = as<term::Literal>(i);
    // Where the specification is not defined, nothing is asked.
    if (s_literal != nullptr && s_literal->value.is_undef()) { return nothing; }
    for (const bool is_specification : {true, false}) {
        const auto* truth = as<term::Truth>(is_specification ? s : i);
        if (truth == nullptr) { continue; }
        const auto with = [&](bool b, const isl::set& where) {
            const Term t = truth_literal(b);
            return is_specification ? prove(t, i, where, depth + 1) : prove(s, t, where, depth + 1);
        };
        return with(true, left.intersect(truth->condition)).unite(with(false, left.subtract(truth->condition)));
    }
    if (s_literal != nullptr && i_literal != nullptr) {
        // Inside other operators the sign of a zero matters.
        const bool same =
            i_literal->value.is_defined() && (exact_reals_ ? value::same_number(s_literal->value, i_literal->value)
                                                           : value::same_result(s_literal->value, i_literal->value));
        return same ? nothing : left;
    }
    const auto* s_cell = as<term::Cell>(s);
    const auto* i_cell = as<term::Cell>(i);
    if (s_cell != nullptr && i_cell != nullptr && s_cell->tensor == i_cell->tensor &&
        s_cell->component == i_cell->component) {
        left = left.subtract(equal_indices(s_cell->indices, i_cell->indices, left.ctx()));
        if (left.is_empty()) { return left; }
    }
    const auto* s_embed = as<term::Embed>(s);
    const auto* i_embed = as<term::Embed>(i);
    if (s_embed != nullptr && i_embed != nullptr && s->type == i->type) {
        return left.subtract(s_embed->index.eq_set(i_embed->index));
    }
    if (same_operator(s, i)) {
        left = prove_operands(s, i, left, depth);
        if (left.is_empty()) { return left; }
        left = prove_associative(s, i, left, depth);
        if (left.is_empty()) { return left; }
    }
    left = prove_selection(s, i, left, depth);
    if (left.is_empty()) { return left; }
    return prove_unfolded(s, i, left, depth);
}

isl::set Alignment::prove_operands(const Term& s, const Term& i, const isl::set& left, int depth) {
    const std::vector<Term> a = operands(s), b = operands(i);
    const auto in_order = [&](const std::vector<std::size_t>& order, const isl::set& where) {
        isl::set rest = where.subtract(where);
        for (std::size_t k = 0; k < a.size(); ++k) {
            rest = rest.unite(prove(a[k], b[order[k]], where.subtract(rest), depth + 1));
        }
        return rest;
    };
    const auto* binary = as<term::Binary>(s);
    if (binary == nullptr) { return a.size() == 1 ? in_order({0}, left) : in_order({0, 1, 2}, left); }
    const isl::set rest = in_order({0, 1}, left);
    if (rest.is_empty() || !is_commutative(binary->op, binary->a->type, exact_reals_)) { return rest; }
    return in_order({1, 0}, rest);
}

// Operands of an associative and commutative operator, each matched with one of the other side's.
isl::set Alignment::prove_associative(const Term& s, const Term& i, const isl::set& left, int depth) {
    const auto* binary = as<term::Binary>(s);
    if (binary == nullptr || !is_associative(binary->op, binary->a->type)) { return left; }
    std::vector<Term> a, b;
    flatten(s, binary->op, a);
    flatten(i, binary->op, b);
    if (a.size() != b.size() || a.size() < 3) { return left; }
    for (const Term& operand : a) {
        const auto match = std::ranges::find_if(
            b, [&](const Term& other) { return prove(operand, other, left, depth + 1).is_empty(); });
        if (match == b.end()) { return left; }
        b.erase(match);
    }
    return left.subtract(left);
}

// A select whose condition is known. Selects are eager: the specification's is defined only if both of its arms are;
// the implementation's arm that is not chosen must not be able to be Undef.
isl::set Alignment::prove_selection(const Term& s, const Term& i, const isl::set& left, int depth) {
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
    if (const auto* select = as<term::Select>(s)) {
        rest = chosen(*select, rest, [&](const Term& arm, const Term&, const isl::set& where) {
            return prove(arm, i, where, depth + 1);
        });
    }
    if (const auto* select = as<term::Select>(i); select != nullptr && !rest.is_empty()) {
        rest = chosen(*select, rest, [&](const Term& arm, const Term& other, const isl::set& where) {
            return specification_.is_total(other) ? prove(s, arm, where, depth + 1) : where;
        });
    }
    return rest;
}

isl::set Alignment::prove_unfolded(const Term& s, const Term& i, const isl::set& left, int depth) {
    const auto* s_cell = as<term::Cell>(s);
    const auto* i_cell = as<term::Cell>(i);
    const bool can_s = s_cell != nullptr && !specification_.is_input(s_cell->tensor);
    const bool can_i = i_cell != nullptr && !specification_.is_input(i_cell->tensor);
    if (can_s && can_i) {
        if (s_cell->tensor == i_cell->tensor) {
            // Of a recurrence the later step, whose value is made from earlier ones.
            const isl::set later = specification_.later(*i_cell, *s_cell);
            return unfold_specification(*s_cell, i, left.subtract(later), depth)
                .unite(unfold_implementation(s, *i_cell, left.intersect(later), depth));
        }
        return specification_.rank(i_cell->tensor) > specification_.rank(s_cell->tensor)
                   ? unfold_implementation(s, *i_cell, left, depth)
                   : unfold_specification(*s_cell, i, left, depth);
    }
    if (can_s) { return unfold_specification(*s_cell, i, left, depth); }
    if (can_i) { return unfold_implementation(s, *i_cell, left, depth); }
    return left;
}

isl::set Alignment::unfold_specification(const term::Cell& s, const Term& i, const isl::set& left, int depth) {
    if (left.is_empty() || ++unfoldings_ > most_unfoldings_) { return left; }
    isl::set rest = left;
    for (const Specification::Case& c : specification_.unfold(s)) {
        const isl::set here = left.intersect(c.environments);
        if (here.is_empty()) { continue; }
        rest = rest.subtract(here).unite(prove(c.value, i, here, depth + 1));
    }
    return rest;
}

isl::set Alignment::unfold_implementation(const Term& s, const term::Cell& i, const isl::set& left, int depth) {
    if (left.is_empty() || ++unfoldings_ > most_unfoldings_) { return left; }
    isl::set rest = left;
    for (const Specification::Case& c : specification_.unfold(i)) {
        const isl::set here = left.intersect(c.environments);
        if (here.is_empty()) { continue; }
        rest = rest.subtract(here).unite(prove(s, c.value, here, depth + 1));
    }
    return rest;
}

}  // namespace haruspex::validator
