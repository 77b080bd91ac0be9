#include "oracle/validator/discharge/simplify.h"

#include <optional>
#include <unordered_map>

#include "generators/base/overload.h"
#include "oracle/rewrite/properties.h"

namespace haruspex::validator {
namespace {

class Simplification {
public:
    Simplification(const isl::set& environments, const Specification& specification)
        : environments_(environments), specification_(specification) {}

    Term of(const Term& t) {
        if (operands(t).empty() && as<term::Truth>(t) == nullptr) { return t; }
        if (const auto known = simplified_.find(t.get()); known != simplified_.end()) { return known->second; }
        return simplified_.emplace(t.get(), anew(t)).first->second;
    }

private:
    Term anew(const Term& t) {
        return std::visit(
            Overload{[&](const term::Truth& n) { return of_truth(t, n); },
                     [&](const term::Unary& n) {
                         const Term a = of(n.a);
                         return a == n.a ? t : make_unary(n.op, a);
                     },
                     [&](const term::Binary& n) { return of_binary(t, n); },
                     [&](const term::Cast& n) {
                         const Term a = of(n.a);
                         return a == n.a ? t : make_cast(t->type, a);
                     },
                     [&](const term::Select& n) { return of_select(t, n); }, [&](const auto&) { return t; }},
            t->what);
    }

    Term of_truth(const Term& t, const term::Truth& truth) const {
        const bool holds = environments_.is_subset(truth.condition);
        if (!holds && !environments_.is_disjoint(truth.condition)) { return t; }
        return make_literal(value::Value::boolean(holds));
    }

    Term of_binary(const Term& t, const term::Binary& n) {
        const Term a = of(n.a), b = of(n.b);
        const auto absorbing = rewrite::absorbing_element(n.op, n.a->type);
        const auto neutral = rewrite::neutral_element(n.op, n.a->type);
        const bool is_logical = n.a->type == value::Type::boolean;
        for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
            if (is_logical && is(one, neutral)) { return other; }
            // Values of memory that was not written are removed by "and" and "or" alone.
            if (is(one, absorbing) && may_go(other) && (is_logical || !other->mentions_uninit)) { return one; }
        }
        return a == n.a && b == n.b ? t : make_binary(n.op, a, b);
    }

    static bool is(const Term& t, const std::optional<value::Value>& value) {
        const auto* literal = as<term::Literal>(t);
        return value && literal != nullptr && literal->value == *value;
    }

    Term of_select(const Term& t, const term::Select& n) {
        const Term condition = of(n.condition), if_true = of(n.if_true), if_false = of(n.if_false);
        if (const auto known = truth_of(condition)) {
            const auto& [chosen, other] = *known ? std::pair(if_true, if_false) : std::pair(if_false, if_true);
            if (may_go(other)) { return chosen; }
        }
        const bool is_same = condition == n.condition && if_true == n.if_true && if_false == n.if_false;
        return is_same ? t : make_select(condition, if_true, if_false);
    }

    static std::optional<bool> truth_of(const Term& t) {
        const auto* literal = as<term::Literal>(t);
        if (literal == nullptr || !literal->value.is_defined()) { return std::nullopt; }
        return literal->value.as_bool();
    }

    bool may_go(const Term& t) const { return specification_.is_total(t); }

    const isl::set& environments_;
    const Specification& specification_;
    std::unordered_map<const TermNode*, Term> simplified_;  // terms share subterms
};

}  // namespace

Term simplified(const Term& t, const isl::set& environments, const Specification& specification) {
    return Simplification(environments, specification).of(t);
}

}  // namespace haruspex::validator
