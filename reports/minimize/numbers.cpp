#include "reports/minimize/numbers.h"

#include <algorithm>
#include <set>

#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "reports/minimize/pass.h"
#include "reports/minimize/plainness.h"

// Passes over types, sizes, constants and inputs.
namespace haruspex::minimize {
namespace {

using value::Type;
using value::Value;

std::set<Type> types_of(const Draft& draft) {
    std::set<Type> types;
    Draft copy = draft;
    for (const sare::Expr* expr : places(copy).exprs) {
        if (const auto* literal = std::get_if<sare::Literal>(&expr->node)) { types.insert(literal->value.type()); }
        if (const auto* embed = std::get_if<sare::Embed>(&expr->node)) { types.insert(embed->type); }
        if (const auto* cast = std::get_if<sare::Cast>(&expr->node)) { types.insert(cast->type); }
    }
    for (const sare::Input& input : draft.algorithm.inputs) { types.insert(input.type); }
    for (const sare::Function& function : draft.algorithm.functions) {
        types.insert(function.types.begin(), function.types.end());
    }
    return types;
}

Value converted(Type to, const Value& v) {
    const Value cast = value::cast(to, v);
    return cast.is_defined() ? cast : Value::integer(to, 1);
}

// Returns the draft with every value of type `from` changed to type `to`.
Draft retyped(const Draft& draft, Type from, Type to) {
    Draft changed = draft;
    const auto replace = [&](Type& type) {
        if (type == from) { type = to; }
    };
    for (sare::Expr* expr : places(changed).exprs) {
        auto* literal = std::get_if<sare::Literal>(&expr->node);
        if (literal != nullptr && literal->value.type() == from) { literal->value = converted(to, literal->value); }
        if (auto* embed = std::get_if<sare::Embed>(&expr->node)) { replace(embed->type); }
        if (auto* cast = std::get_if<sare::Cast>(&expr->node)) { replace(cast->type); }
    }
    for (sare::Function& function : changed.algorithm.functions) {
        for (Type& type : function.types) { replace(type); }
    }
    for (sare::Input& input : changed.algorithm.inputs) {
        if (input.type != from) { continue; }
        input.type = to;
        cases::InputDomain& domain = changed.c.inputs.at(input.name);
        domain = {value::cast(to, domain.range).value_or(small_domain(to).range),
                  domain.special_values && value::is_float(to)};
    }
    return changed;
}

// Returns variants of the index with a smaller outermost number; none if it has no number.
std::vector<sare::Index> simpler_numbers(const sare::Index& index) {
    std::vector<sare::Index> found;
    if (const auto* n = std::get_if<sare::IndexConstant>(&index.node)) {
        for (const std::int64_t v : smaller(n->value, 0)) { found.push_back(sare::constant(v)); }
    }
    if (const auto* n = std::get_if<sare::IndexScale>(&index.node)) {
        for (const std::int64_t v : smaller(n->factor, n->factor < 0 ? -1 : 2)) {
            found.push_back({sare::IndexScale{v, n->a}});
        }
    }
    if (const auto* n = std::get_if<sare::IndexDiv>(&index.node)) {
        for (const std::int64_t v : smaller(n->divisor, 2)) { found.push_back({sare::IndexDiv{n->a, v}}); }
    }
    if (const auto* n = std::get_if<sare::IndexMod>(&index.node)) {
        for (const std::int64_t v : smaller(n->divisor, 2)) { found.push_back({sare::IndexMod{n->a, v}}); }
    }
    return found;
}

std::vector<Value> simpler_literals(const Value& v) {
    const Type type = v.type();
    std::vector<Value> found;
    const auto add = [&](const std::vector<std::int64_t>& values) {
        for (const std::int64_t value : values) { found.push_back(Value::integer(type, value)); }
    };
    if (value::is_float(type)) {
        const double number = v.as_double();
        constexpr double most = 1 << 20;
        if (number != number || number > most || number < -most) {
            found.push_back(Value::integer(type, 1));
            return found;
        }
        const auto whole = static_cast<std::int64_t>(number);
        if (static_cast<double>(whole) != number) { add({1, whole}); }
        add(smaller(whole, whole < 0 ? -1 : 1));
    } else if (value::is_signed_integer(type)) {
        add(smaller(v.as_signed(), v.as_signed() < 0 ? -1 : 1));
    } else if (value::is_unsigned_integer(type)) {
        add(smaller(static_cast<std::int64_t>(std::min<std::uint64_t>(v.as_unsigned(), INT64_MAX)), 1));
    }
    return found;
}

}  // namespace

std::vector<std::int64_t> smaller(std::int64_t v, std::int64_t least) {
    std::vector<std::int64_t> found;
    const bool within = least < 0 ? v > least : v >= 0 && v < least;
    if (v == least || within) { return found; }
    const std::int64_t towards = v > least ? -1 : 1;
    // Numbers of both parities: a loop split by two may go wrong on odd numbers only.
    const std::int64_t half = least + (v - least) / 2;
    for (const std::int64_t next : {least, least - towards, half, v + 2 * towards, v + towards}) {
        const bool is_between = towards < 0 ? least <= next && next < v : v < next && next <= least;
        if (is_between && std::ranges::find(found, next) == found.end()) { found.push_back(next); }
    }
    return found;
}

void simplify_types(const Draft& draft, const Propose& propose) {
    for (const Type type : types_of(draft)) {
        if (type == Type::boolean) { continue; }
        for (const Type plainer : by_plainness(schedule::language(draft.c.compiler))) {
            if (plainer == type) { break; }
            propose(retyped(draft, type, plainer));
        }
    }
}

void shrink_sizes(const Draft& draft, const Propose& propose) {
    for (const auto& [name, size] : draft.c.sizes) {
        for (const std::int64_t less : smaller(size, 1)) {
            Draft changed = draft;
            changed.c.sizes[name] = less;
            propose(std::move(changed));
        }
    }
}

void shrink_constants(const Draft& draft, const Propose& propose) {
    Draft original = draft;
    const Places all = places(original);
    for (std::size_t i = 0; i < all.indices.size(); ++i) {
        for (sare::Index& index : simpler_numbers(*all.indices[i])) {
            Draft changed = draft;
            *places(changed).indices[i] = std::move(index);
            propose(std::move(changed));
        }
    }
    for (std::size_t i = 0; i < all.exprs.size(); ++i) {
        const auto* literal = std::get_if<sare::Literal>(&all.exprs[i]->node);
        if (literal == nullptr) { continue; }
        for (const Value& value : simpler_literals(literal->value)) {
            Draft changed = draft;
            *places(changed).exprs[i] = {sare::Literal{value}};
            propose(std::move(changed));
        }
    }
}

void simplify_inputs(const Draft& draft, const Propose& propose) {
    if (draft.c.strict_float) {
        Draft changed = draft;
        changed.c.strict_float = false;
        for (auto& [name, domain] : changed.c.inputs) { domain.special_values = false; }
        propose(std::move(changed));
    }
    for (const auto& [name, domain] : draft.c.inputs) {
        if (domain.special_values) {
            Draft changed = draft;
            changed.c.inputs.at(name).special_values = false;
            propose(std::move(changed));
        }
        Draft changed = draft;
        changed.c.inputs.at(name).range = small_domain(domain.range.type).range;
        propose(std::move(changed));
    }
    if (draft.c.input_seed != 0) {
        Draft changed = draft;
        changed.c.input_seed = 0;
        propose(std::move(changed));
    }
}

std::int64_t magnitude(std::int64_t v) {
    return v == INT64_MIN ? largest_magnitude : std::min(v < 0 ? -v : v, largest_magnitude);
}

}  // namespace haruspex::minimize
