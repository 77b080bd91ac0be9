#include "oracle/interp/indices.h"

#include <algorithm>
#include <limits>
#include <ranges>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::interp {
namespace {

bool related(sare::Relation relation, std::int64_t a, std::int64_t b) {
    switch (relation) {
        case sare::Relation::lt: return a < b;
        case sare::Relation::le: return a <= b;
        case sare::Relation::eq: return a == b;
        case sare::Relation::ne: return a != b;
        case sare::Relation::gt: return a > b;
        case sare::Relation::ge: return a >= b;
    }
    ENSURE(false, "a relation that is not handled");
    return false;
}

}  // namespace

Linear Scope::resolve(const std::string& name) const {
    for (const auto& [variable, slot] : std::views::reverse(slots_)) {
        if (variable == name) { return linear_column(slot); }
    }
    const auto parameter = parameters_->find(name);
    ENSURE(parameter != parameters_->end(), "the variable '" + name + "' has neither slot nor value");
    return linear_constant(parameter->second);
}

std::optional<Linear> linear_form(const sare::Index& index, const Scope& scope) {
    const auto none = [](const auto&) -> std::optional<Linear> { return std::nullopt; };
    return std::visit(
        Overload{[](const sare::IndexConstant& c) -> std::optional<Linear> { return linear_constant(c.value); },
                 [&](const sare::IndexVariable& v) -> std::optional<Linear> { return scope.resolve(v.name); },
                 [&](const sare::IndexBinary& binary) -> std::optional<Linear> {
                     if (binary.op != sare::IndexOp::add && binary.op != sare::IndexOp::sub) { return std::nullopt; }
                     const auto a = linear_form(*binary.a, scope);
                     const auto b = a ? linear_form(*binary.b, scope) : std::nullopt;
                     return b ? add(*a, *b, binary.op == sare::IndexOp::add ? 1 : -1) : std::nullopt;
                 },
                 [&](const sare::IndexScale& s) -> std::optional<Linear> {
                     const auto a = linear_form(*s.a, scope);
                     return a ? scale(*a, s.factor) : std::nullopt;
                 },
                 [&](const sare::IndexDiv& d) { return none(d); }, [&](const sare::IndexMod& m) { return none(m); },
                 [&](const sare::IndexSelect& s) { return none(s); }},
        index.node);
}

// --- Compilation -------------------------------------------------------------------------------------------------

IndexRef IndexCode::add_node(const IndexNode& node) {
    indices_.push_back(node);
    return IndexRef{static_cast<std::uint32_t>(indices_.size() - 1)};
}

ConditionRef IndexCode::add_condition(const ConditionNode& node) {
    conditions_.push_back(node);
    return ConditionRef{static_cast<std::uint32_t>(conditions_.size() - 1)};
}

IndexRef IndexCode::add(const Linear& linear) {
    // By far the most frequent form.
    if (linear.terms.size() == 1 && linear.terms.front().factor == 1) {
        return add_node({.kind = IndexKind::shifted, .constant = linear.constant, .a = linear.terms.front().column});
    }
    const auto first = static_cast<std::uint32_t>(terms_.size());
    terms_.insert(terms_.end(), linear.terms.begin(), linear.terms.end());
    return add_node({.kind = IndexKind::linear,
                     .constant = linear.constant,
                     .first = first,
                     .count = static_cast<std::uint32_t>(linear.terms.size())});
}

std::optional<std::int64_t> IndexCode::constant_value(IndexRef index) const {
    const IndexNode& node = indices_[index.node];
    if (node.kind != IndexKind::linear || node.count != 0 || !fits(node.constant)) { return std::nullopt; }
    return node.constant;
}

IndexRef IndexCode::binary(IndexKind kind, const sare::Index& a, const sare::Index& b, const Scope& scope) {
    const IndexRef left = add(a, scope);
    const IndexRef right = add(b, scope);
    const auto x = constant_value(left);
    const auto y = constant_value(right);
    if (x && y && kind == IndexKind::min) { return add(linear_constant(std::min(*x, *y))); }
    if (x && y && kind == IndexKind::max) { return add(linear_constant(std::max(*x, *y))); }
    return add_node({.kind = kind, .a = left.node, .b = right.node});
}

IndexRef IndexCode::divide(IndexKind kind, const sare::Index& a, std::int64_t divisor, const Scope& scope) {
    ENSURE(divisor > 0, "the divisor of an index is positive");
    const IndexRef operand = add(a, scope);
    if (const auto x = constant_value(operand)) {
        return add(
            linear_constant(kind == IndexKind::floor_div ? floor_quotient(*x, divisor) : floor_remainder(*x, divisor)));
    }
    return add_node({.kind = kind, .constant = divisor, .a = operand.node});
}

IndexRef IndexCode::add(const sare::Index& index, const Scope& scope) {
    const IndexRef added = add_index(index, scope);
    indices_[added.node].is_index = true;
    return added;
}

IndexRef IndexCode::add_index(const sare::Index& index, const Scope& scope) {
    if (const auto linear = linear_form(index, scope)) { return add(*linear); }
    return std::visit(
        Overload{[&](const sare::IndexConstant& c) { return add(linear_constant(c.value)); },
                 [&](const sare::IndexVariable& v) { return add(scope.resolve(v.name)); },
                 [&](const sare::IndexBinary& b) {
                     switch (b.op) {
                         case sare::IndexOp::add: return binary(IndexKind::add, *b.a, *b.b, scope);
                         case sare::IndexOp::sub: return binary(IndexKind::sub, *b.a, *b.b, scope);
                         case sare::IndexOp::min: return binary(IndexKind::min, *b.a, *b.b, scope);
                         case sare::IndexOp::max: return binary(IndexKind::max, *b.a, *b.b, scope);
                     }
                     ENSURE(false, "an index operator that is not handled");
                     return IndexRef{};
                 },
                 [&](const sare::IndexScale& s) {
                     const IndexRef a = add(*s.a, scope);
                     return add_node({.kind = IndexKind::scale, .constant = s.factor, .a = a.node});
                 },
                 [&](const sare::IndexDiv& d) { return divide(IndexKind::floor_div, *d.a, d.divisor, scope); },
                 [&](const sare::IndexMod& m) { return divide(IndexKind::floor_mod, *m.a, m.divisor, scope); },
                 [&](const sare::IndexSelect& s) {
                     const ConditionRef condition = add(*s.condition, scope);
                     if (is_always(condition, true)) { return add(*s.if_true, scope); }
                     if (is_always(condition, false)) { return add(*s.if_false, scope); }
                     const IndexRef a = add(*s.if_true, scope);
                     const IndexRef b = add(*s.if_false, scope);
                     return add_node(
                         {.kind = IndexKind::select, .a = a.node, .b = b.node, .condition = condition.node});
                 }},
        index.node);
}

ConditionRef IndexCode::comparison(const sare::Comparison& comparison, const Scope& scope) {
    // With fewer bits than evaluation has, each side must fit; their difference does not show that.
    const bool is_wide = fits(std::numeric_limits<std::int64_t>::max());
    const auto a = is_wide ? linear_form(comparison.a, scope) : std::nullopt;
    const auto b = a ? linear_form(comparison.b, scope) : std::nullopt;
    if (const auto difference = b ? interp::add(*a, *b, -1) : std::nullopt) {
        if (difference->is_constant()) {
            return add_condition(
                {.kind = ConditionKind::truth, .value = related(comparison.relation, difference->constant, 0)});
        }
        const IndexRef row = add(*difference);
        return add_condition({.kind = ConditionKind::compare_zero, .relation = comparison.relation, .a = row.node});
    }
    const IndexRef left = add(comparison.a, scope);
    const IndexRef right = add(comparison.b, scope);
    const auto x = constant_value(left);
    const auto y = constant_value(right);
    if (x && y) { return add_condition({.kind = ConditionKind::truth, .value = related(comparison.relation, *x, *y)}); }
    return add_condition(
        {.kind = ConditionKind::compare, .relation = comparison.relation, .a = left.node, .b = right.node});
}

// `all` and `any` keep the order of their members, which evaluation follows, and swallow members of their own kind.
ConditionRef IndexCode::junction(ConditionKind kind, const std::vector<ConditionRef>& members) {
    const bool neutral = kind == ConditionKind::all;
    std::vector<std::uint32_t> kept;
    for (const ConditionRef member : members) {
        if (is_always(member, neutral)) { continue; }
        if (is_always(member, !neutral)) { return member; }
        const ConditionNode& node = conditions_[member.node];
        if (node.kind == kind) {
            kept.insert(kept.end(), members_.begin() + node.first, members_.begin() + node.first + node.count);
        } else {
            kept.push_back(member.node);
        }
    }
    if (kept.empty()) { return add_condition({.kind = ConditionKind::truth, .value = neutral}); }
    if (kept.size() == 1) { return ConditionRef{kept.front()}; }
    const auto first = static_cast<std::uint32_t>(members_.size());
    members_.insert(members_.end(), kept.begin(), kept.end());
    return add_condition({.kind = kind, .first = first, .count = static_cast<std::uint32_t>(kept.size())});
}

ConditionRef IndexCode::conjunction(const std::vector<ConditionRef>& conditions) {
    return junction(ConditionKind::all, conditions);
}

ConditionRef IndexCode::equality(IndexRef a, IndexRef b) {
    return add_condition({.kind = ConditionKind::compare, .relation = sare::Relation::eq, .a = a.node, .b = b.node});
}

ConditionRef IndexCode::add(const sare::Condition& condition, const Scope& scope) {
    return std::visit(
        Overload{[&](const sare::Truth& t) { return add_condition({.kind = ConditionKind::truth, .value = t.value}); },
                 [&](const sare::Comparison& c) { return comparison(c, scope); },
                 [&](const sare::And& c) {
                     const ConditionRef a = add(*c.a, scope);
                     return junction(ConditionKind::all, {a, add(*c.b, scope)});
                 },
                 [&](const sare::Or& c) {
                     const ConditionRef a = add(*c.a, scope);
                     return junction(ConditionKind::any, {a, add(*c.b, scope)});
                 },
                 [&](const sare::Not& c) {
                     const ConditionRef a = add(*c.a, scope);
                     if (conditions_[a.node].kind == ConditionKind::truth) {
                         return add_condition({.kind = ConditionKind::truth, .value = !conditions_[a.node].value});
                     }
                     return add_condition({.kind = ConditionKind::negation, .a = a.node});
                 }},
        condition.node);
}

// --- Evaluation --------------------------------------------------------------------------------------------------

std::int64_t IndexCode::evaluate_node(const IndexNode& node, const std::int64_t* slots) const {
    bool overflow = false;
    std::int64_t result = 0;
    switch (node.kind) {
        case IndexKind::shifted: overflow = __builtin_add_overflow(slots[node.a], node.constant, &result); break;
        case IndexKind::linear: {
            result = node.constant;
            const Term* term = terms_.data() + node.first;
            for (std::uint32_t i = 0; i < node.count; ++i, ++term) {
                std::int64_t product = 0;
                overflow |= __builtin_mul_overflow(term->factor, slots[term->column], &product);
                overflow |= __builtin_add_overflow(result, product, &result);
            }
            break;
        }
        case IndexKind::add:
            overflow =
                __builtin_add_overflow(evaluate(IndexRef{node.a}, slots), evaluate(IndexRef{node.b}, slots), &result);
            break;
        case IndexKind::sub:
            overflow =
                __builtin_sub_overflow(evaluate(IndexRef{node.a}, slots), evaluate(IndexRef{node.b}, slots), &result);
            break;
        case IndexKind::min: return std::min(evaluate(IndexRef{node.a}, slots), evaluate(IndexRef{node.b}, slots));
        case IndexKind::max: return std::max(evaluate(IndexRef{node.a}, slots), evaluate(IndexRef{node.b}, slots));
        case IndexKind::scale:
            overflow = __builtin_mul_overflow(node.constant, evaluate(IndexRef{node.a}, slots), &result);
            break;
        case IndexKind::floor_div: return floor_quotient(evaluate(IndexRef{node.a}, slots), node.constant);
        case IndexKind::floor_mod: return floor_remainder(evaluate(IndexRef{node.a}, slots), node.constant);
        case IndexKind::select:
            return evaluate(IndexRef{holds(ConditionRef{node.condition}, slots) ? node.a : node.b}, slots);
    }
    if (overflow || (node.is_index && !fits(result))) { overflowed_ = true; }
    return result;
}

bool IndexCode::holds(ConditionRef condition, const std::int64_t* slots) const {
    const ConditionNode& node = conditions_[condition.node];
    switch (node.kind) {
        case ConditionKind::truth: return node.value;
        case ConditionKind::compare_zero: return related(node.relation, evaluate(IndexRef{node.a}, slots), 0);
        case ConditionKind::compare:
            return related(node.relation, evaluate(IndexRef{node.a}, slots), evaluate(IndexRef{node.b}, slots));
        case ConditionKind::all:
            for (std::uint32_t i = 0; i < node.count; ++i) {
                if (!holds(ConditionRef{members_[node.first + i]}, slots)) { return false; }
            }
            return true;
        case ConditionKind::any:
            for (std::uint32_t i = 0; i < node.count; ++i) {
                if (holds(ConditionRef{members_[node.first + i]}, slots)) { return true; }
            }
            return false;
        case ConditionKind::negation: return !holds(ConditionRef{node.a}, slots);
    }
    ENSURE(false, "a condition that is not handled");
    return false;
}

bool IndexCode::is_always(ConditionRef condition, bool value) const {
    const ConditionNode& node = conditions_[condition.node];
    return node.kind == ConditionKind::truth && node.value == value;
}

bool IndexCode::reads_below(IndexRef index, std::uint32_t count) const {
    const IndexNode& node = indices_[index.node];
    switch (node.kind) {
        case IndexKind::shifted: return node.a < count;
        case IndexKind::linear: {
            const auto first = terms_.begin() + node.first;
            return std::any_of(first, first + node.count, [count](const Term& term) { return term.column < count; });
        }
        case IndexKind::scale:
        case IndexKind::floor_div:
        case IndexKind::floor_mod: return reads_below(IndexRef{node.a}, count);
        case IndexKind::select:
            if (reads_below(ConditionRef{node.condition}, count)) { return true; }
            break;
        case IndexKind::add:
        case IndexKind::sub:
        case IndexKind::min:
        case IndexKind::max: break;
    }
    return reads_below(IndexRef{node.a}, count) || reads_below(IndexRef{node.b}, count);
}

bool IndexCode::reads_below(ConditionRef condition, std::uint32_t count) const {
    const ConditionNode& node = conditions_[condition.node];
    switch (node.kind) {
        case ConditionKind::truth: return false;
        case ConditionKind::compare_zero: return reads_below(IndexRef{node.a}, count);
        case ConditionKind::compare:
            return reads_below(IndexRef{node.a}, count) || reads_below(IndexRef{node.b}, count);
        case ConditionKind::all:
        case ConditionKind::any: {
            const auto first = members_.begin() + node.first;
            return std::any_of(first, first + node.count,
                               [&](std::uint32_t member) { return reads_below(ConditionRef{member}, count); });
        }
        case ConditionKind::negation: return reads_below(ConditionRef{node.a}, count);
    }
    ENSURE(false, "a condition that is not handled");
    return true;
}

}  // namespace haruspex::interp
