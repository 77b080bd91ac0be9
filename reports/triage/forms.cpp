#include "reports/triage/forms.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "generators/base/overload.h"
#include "generators/sare/traverse.h"
#include "generators/value/range.h"

namespace haruspex::triage {
namespace {

using sare::Expr;
using value::BinaryOp;
using value::Int128;
using value::Type;

using Names = std::set<std::string>;
using Counts = std::map<std::string, std::size_t>;  // of each tensor's reads

// --- Values ----------------------------------------------------------------------------------------------------------

const sare::Binary* as(const Expr& e, BinaryOp op) {
    const auto* binary = std::get_if<sare::Binary>(&e.node);
    return binary != nullptr && binary->op == op ? binary : nullptr;
}

// The value of an integer literal.
std::optional<Int128> integer(const Expr& e) {
    const auto* literal = std::get_if<sare::Literal>(&e.node);
    if (literal == nullptr || !value::is_integer(literal->value.type())) { return std::nullopt; }
    const Type type = literal->value.type();
    return value::is_signed_integer(type) ? Int128{literal->value.as_signed()} : Int128{literal->value.as_unsigned()};
}

bool is_near_end(const value::Value& v) {
    if (value::is_float(v.type())) {
        const double largest =
            v.type() == Type::f32 ? double{std::numeric_limits<float>::max()} : std::numeric_limits<double>::max();
        return std::abs(v.as_double()) == largest;
    }
    if (!value::is_integer(v.type())) { return false; }
    constexpr int near = 16;
    const value::Range all = value::full_range(v.type());
    const Int128 n = *integer(Expr{sare::Literal{v}});
    return n > all.high - near || (all.low < 0 && n < all.low + near);
}

bool is_near_end(const value::Range& range) {
    if (!value::is_integer(range.type)) { return false; }
    const value::Range all = value::full_range(range.type);
    const Int128 sixteenth = (all.high - all.low + 1) / 16;
    return range.low > all.high - sixteenth || (all.low < 0 && range.high < all.low + sixteenth);
}

// --- Idioms ----------------------------------------------------------------------------------------------------------

bool is_average(const Expr& e) {
    const auto *div = as(e, BinaryOp::div), *shift = as(e, BinaryOp::shift_right);
    const auto* half = div != nullptr && integer(*div->b) == Int128{2}       ? div
                       : shift != nullptr && integer(*shift->b) == Int128{1} ? shift
                                                                             : nullptr;
    return half != nullptr && as(*half->a, BinaryOp::add) != nullptr;
}

bool is_absolute_difference(const Expr& e) {
    if (const auto* unary = std::get_if<sare::Unary>(&e.node)) {
        return unary->op == value::UnaryOp::absolute && as(*unary->a, BinaryOp::sub) != nullptr;
    }
    if (const auto* sub = as(e, BinaryOp::sub)) {
        const auto *high = as(*sub->a, BinaryOp::max), *low = as(*sub->b, BinaryOp::min);
        return high != nullptr && low != nullptr && high->a == low->a && high->b == low->b;
    }
    const auto* select = std::get_if<sare::Select>(&e.node);
    if (select == nullptr) { return false; }
    const auto *less = as(*select->condition, BinaryOp::lt), *b_minus_a = as(*select->if_true, BinaryOp::sub),
               *a_minus_b = as(*select->if_false, BinaryOp::sub);
    return less != nullptr && b_minus_a != nullptr && a_minus_b != nullptr && b_minus_a->a == less->b &&
           b_minus_a->b == less->a && a_minus_b->a == less->a && a_minus_b->b == less->b;
}

// A sum or difference below limits, at least one of which is an end of the type.
bool is_limited_sum(const Expr& e, Type type) {
    const value::Range all = value::full_range(type);
    bool has_end = false;
    const Expr* inner = &e;
    for (;;) {
        const auto *low = as(*inner, BinaryOp::min), *high = as(*inner, BinaryOp::max);
        const auto* limit = low != nullptr ? low : high;
        if (limit == nullptr) { break; }
        const auto end = integer(*limit->b);
        has_end = has_end || (end && *end == (low != nullptr ? all.high : all.low));
        inner = &*limit->a;
    }
    return has_end && (as(*inner, BinaryOp::add) != nullptr || as(*inner, BinaryOp::sub) != nullptr);
}

bool is_saturating_sum(const Expr& e) {
    const auto* cast = std::get_if<sare::Cast>(&e.node);
    return cast != nullptr && value::is_integer(cast->type) && is_limited_sum(*cast->a, cast->type);
}

bool may_be_negative(const Expr& amount) {
    const auto literal = integer(amount);
    const auto* unary = std::get_if<sare::Unary>(&amount.node);
    return (literal && *literal < 0) || as(amount, BinaryOp::sub) != nullptr ||
           (unary != nullptr && unary->op == value::UnaryOp::negate);
}

bool shifts_either_way(const Expr& e) {
    const auto *left = as(e, BinaryOp::shift_left), *right = as(e, BinaryOp::shift_right);
    const auto* shift = left != nullptr ? left : right;
    return shift != nullptr && may_be_negative(*shift->b);
}

// --- Reads -----------------------------------------------------------------------------------------------------------

void count(const Expr& e, Counts& counts) {
    sare::for_each_access(e, [&](const sare::Access& a, const auto&) { ++counts[a.tensor]; });
}

Counts counts_of(const Expr& e) {
    Counts counts;
    count(e, counts);
    return counts;
}

class Search {
public:
    Search(const sare::Algorithm& algorithm, Names& names) : algorithm_(algorithm), names_(names) {
        for_each_value([&](const Expr& e) { count(e, reads_); });
    }

    void run() {
        std::map<std::string, std::size_t> chains;  // the number of tensors on the longest chain to each function
        for (const sare::Function& f : algorithm_.functions) {
            std::size_t longest = 0;
            const auto read = [&](const Expr& e) {
                for (const auto& [tensor, reads] : counts_of(e)) {
                    const auto known = chains.find(tensor);
                    if (known != chains.end()) { longest = std::max(longest, known->second); }
                }
            };
            is_update_ = false;
            const Names pure(f.variables.begin(), f.variables.end());
            for (const Expr& e : f.values) {
                read(e);
                expr(e, pure);
            }
            is_update_ = true;
            for (const sare::UpdateDefinition& update : f.updates) {
                Names loops = pure;
                for (const auto& r : update.over) { loops.insert(r.name); }
                for (const Expr& e : update.values) {
                    read(e);
                    expr(e, loops);
                    if (keeps_old_value(e, f.name)) { add("data-predicate"); }
                }
            }
            chains[f.name] = longest + 1;
            if (longest + 1 >= long_chain) { add("long-chain"); }
        }
    }

private:
    void add(const std::string& name) { names_.insert("form:" + name); }

    template <typename Visit>
    void for_each_value(Visit&& visit) const {
        for (const sare::Function& f : algorithm_.functions) {
            for (const Expr& e : f.values) { visit(e); }
            for (const sare::UpdateDefinition& update : f.updates) {
                for (const Expr& e : update.values) { visit(e); }
            }
        }
    }

    static bool keeps_old_value(const Expr& e, const std::string& tensor) {
        const auto* select = std::get_if<sare::Select>(&e.node);
        if (select == nullptr || counts_of(*select->condition).empty()) { return false; }
        const auto *a = std::get_if<sare::Access>(&select->if_true->node),
                   *b = std::get_if<sare::Access>(&select->if_false->node);
        return (a != nullptr && a->tensor == tensor) || (b != nullptr && b->tensor == tensor);
    }

    // `loops` are the variables in scope: those of the definition, and those that reductions bind.
    void expr(const Expr& e, const Names& loops) {
        if (is_average(e)) { add("average"); }
        if (is_absolute_difference(e)) { add("absolute-difference"); }
        if (is_saturating_sum(e)) { add("saturating-sum"); }
        if (shifts_either_way(e)) { add("negative-shift"); }
        std::visit(Overload{
                       [&](const sare::Literal& literal) {
                           if (is_near_end(literal.value)) { add("literal-near-end"); }
                       },
                       [](const sare::Embed&) {},
                       [](const sare::Guard&) {},
                       [](const sare::Access&) {},
                       [&](const sare::Unary& unary) { expr(*unary.a, loops); },
                       [&](const sare::Binary& binary) {
                           expr(*binary.a, loops);
                           expr(*binary.b, loops);
                       },
                       [&](const sare::Select& select) {
                           if (is_invariant(*select.condition, loops)) { invariant_select(select); }
                           expr(*select.condition, loops);
                           expr(*select.if_true, loops);
                           expr(*select.if_false, loops);
                       },
                       [&](const sare::Cast& cast) { expr(*cast.a, loops); },
                       [&](const sare::Reduce& reduce) {
                           Names inner = loops;
                           inner.insert(reduce.variables.begin(), reduce.variables.end());
                           expr(*reduce.body, inner);
                       },
                   },
                   e.node);
    }

    static bool is_invariant(const Expr& condition, const Names& loops) {
        const Names free = sare::free_variables(condition);
        const bool varies = std::ranges::any_of(free, [&](const std::string& name) { return loops.contains(name); });
        return !varies && (!free.empty() || !counts_of(condition).empty());
    }

    void invariant_select(const sare::Select& select) {
        add("invariant-select");
        for (const Expr* arm : {&*select.if_true, &*select.if_false}) {
            for (const auto& [tensor, reads] : counts_of(*arm)) {
                const bool is_defined = std::ranges::find(algorithm_.functions, tensor, &sare::Function::name) !=
                                        algorithm_.functions.end();
                if (!is_defined || reads != reads_.at(tensor)) { continue; }
                add("one-arm-producer");
                if (is_update_) { add("one-arm-producer-update"); }
            }
        }
    }

    static constexpr std::size_t long_chain = 10;

    const sare::Algorithm& algorithm_;
    Names& names_;
    Counts reads_;  // in the whole program
    bool is_update_ = false;
};

bool is_compiler_name(const std::string& name) {
    return name.size() > 1 && name[0] >= 'a' && name[0] <= 'z' &&
           std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool has_compiler_name(const sare::Algorithm& algorithm) {
    return std::ranges::any_of(algorithm.parameters, is_compiler_name) ||
           std::ranges::any_of(algorithm.functions, [](const sare::Function& f) {
               return std::ranges::any_of(f.variables, is_compiler_name) ||
                      std::ranges::any_of(f.updates, [](const sare::UpdateDefinition& update) {
                          return std::ranges::any_of(update.over, is_compiler_name, &sare::RecurrenceVariable::name);
                      });
           });
}

}  // namespace

bool is_form(std::string_view feature) { return feature.starts_with("form:"); }

std::set<std::string> forms(const cases::Case& c, const sare::Algorithm& algorithm) {
    Names names;
    for (const auto& [name, domain] : c.inputs) {
        if (is_near_end(domain.range)) { names.insert("form:input-near-end"); }
    }
    if (has_compiler_name(algorithm)) { names.insert("form:compiler-name"); }
    Search(algorithm, names).run();
    return names;
}

}  // namespace haruspex::triage
