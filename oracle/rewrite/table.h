#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>

#include "oracle/rewrite/algebra.h"

// The rules that an algebra applies, as data: lists of rules in the order in which they are tried, one for each
// operator. A rule may be listed for operators that it is not about; it does not match then.
namespace haruspex::rewrite {

template <typename A>
using UnaryRule = Rewritten<A> (*)(A&, UnaryOp, const TermOf<A>& a);
template <typename A>
using BinaryRule = Rewritten<A> (*)(A&, BinaryOp, const TermOf<A>& a, const TermOf<A>& b);
template <typename A>
using CastRule = Rewritten<A> (*)(A&, Type to, const TermOf<A>& a);
template <typename A>
using SelectRule = Rewritten<A> (*)(A&, const TermOf<A>& condition, const TermOf<A>& if_true,
                                    const TermOf<A>& if_false);

// Places at the end that are not used are null.
template <typename Rule>
using Rules = std::array<Rule, 10>;

template <typename Op, typename Rule>
struct Row {
    std::initializer_list<Op> operators;
    Rules<Rule> rules{};
};

// The lists by operator; an operator that no row names has none.
template <std::size_t operators, typename Op, typename Rule>
constexpr std::array<Rules<Rule>, operators> by_operator(std::initializer_list<Row<Op, Rule>> table) {
    std::array<Rules<Rule>, operators> result{};
    for (const auto& [ops, rules] : table) {
        for (const Op op : ops) { result[static_cast<std::size_t>(op)] = rules; }
    }
    return result;
}
template <typename A>
constexpr auto unary_rules_of(std::initializer_list<Row<UnaryOp, UnaryRule<A>>> table) {
    return by_operator<value::all_unary_ops.size()>(table);
}
template <typename A>
constexpr auto binary_rules_of(std::initializer_list<Row<BinaryOp, BinaryRule<A>>> table) {
    return by_operator<value::all_binary_ops.size()>(table);
}

// What the first rule that matches returns.
template <typename Rule, typename A, typename... Operands>
Rewritten<A> first_match(const Rules<Rule>& rules, A& algebra, const Operands&... operands) {
    for (const Rule rule : rules) {
        if (rule == nullptr) { break; }
        if (auto result = rule(algebra, operands...)) { return result; }
    }
    return std::nullopt;
}

}  // namespace haruspex::rewrite
