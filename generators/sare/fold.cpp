#include "generators/sare/fold.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/limits.h"
#include "generators/sare/reduction_box.h"
#include "generators/sare/staging.h"
#include "generators/sare/traverse.h"
#include "generators/value/operators.h"

namespace haruspex::sare {

namespace {

// Returns a + b, but e for (e - b) + b: an inclusive bound that was made of an exclusive one, and is made one again.
Index plus(const Index& a, const Index& b) {
    const auto* difference = std::get_if<IndexBinary>(&a.node);
    const bool cancels = difference != nullptr && difference->op == IndexOp::sub && *difference->b == b;
    return cancels ? *difference->a : a + b;
}

// The same for an extent that was written as such a sum (outline.h).
Index shortened(const Index& extent) {
    const auto* sum = std::get_if<IndexBinary>(&extent.node);
    return sum != nullptr && sum->op == IndexOp::add ? plus(*sum->a, *sum->b) : extent;
}

bool reads(const Expr& expr, const std::string& tensor) {
    bool found = false;
    for_each_access(expr, [&](const Access& access, const auto&) { found = found || access.tensor == tensor; });
    return found;
}

void fold(Function& f, const std::set<std::string>& parameters) {
    if (!f.updates.empty() || f.values.size() != 1) { return; }
    const auto* reduce = std::get_if<Reduce>(&f.values.front().node);
    if (reduce == nullptr) { return; }
    const auto box = reduction_box(*reduce, parameters);
    const bool fits = f.variables.size() + reduce->variables.size() <= static_cast<std::size_t>(max_rank);
    const auto shadows = [&](const std::string& v) {
        return parameters.contains(v) || std::ranges::find(f.variables, v) != f.variables.end();
    };
    if (!box || !fits || std::ranges::any_of(reduce->variables, shadows)) { return; }
    UpdateDefinition update;
    for (std::size_t i = reduce->variables.size(); i-- > 0;) {
        update.over.push_back({reduce->variables[i], box->min[i], plus(box->max[i], constant(1)) - box->min[i]});
    }
    update.target = as_indices(f.variables);
    for (const Condition& conjunct : box->remaining) { update.where = update.where && conjunct; }
    const Expr before{Access{f.name, update.target, 0}};
    update.values = {Expr{Binary{value::binary_op(reduce->op), before, reduce->body}}};
    const auto neutral = value::neutral(reduce->op, f.types.front());
    ENSURE(neutral.has_value(), "a well-typed reduction has a neutral element");
    f.values = {Expr{Literal{*neutral}}};
    f.updates = {std::move(update)};
}

// The reduction whose steps are those of the update, if its function begins with the neutral element.
std::optional<value::ReductionOp> reduction_of(const Function& f, const Binary& step) {
    const auto* start = std::get_if<Literal>(&f.values.front().node);
    const auto& all = value::all_reduction_ops;
    const auto found = std::ranges::find_if(all, [&](value::ReductionOp op) {
        return start != nullptr && value::binary_op(op) == step.op &&
               value::neutral(op, f.types.front()) == start->value;
    });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

void unfold(Function& f) {
    if (f.updates.size() != 1 || f.values.size() != 1) { return; }
    const UpdateDefinition& update = f.updates.front();
    const auto* step = std::get_if<Binary>(&update.values.front().node);
    if (step == nullptr || update.over.empty() || update.target != as_indices(f.variables)) { return; }
    if (*step->a != Expr{Access{f.name, update.target, 0}} || reads(*step->b, f.name)) { return; }
    const auto op = reduction_of(f, *step);
    if (!op) { return; }
    Reduce reduce{*op, {}, truth(true), step->b};
    for (std::size_t i = update.over.size(); i-- > 0;) {
        const RecurrenceVariable& k = update.over[i];
        reduce.variables.push_back(k.name);
        reduce.domain = reduce.domain && compare(Relation::le, k.min, variable(k.name)) &&
                        compare(Relation::lt, variable(k.name), k.min + shortened(k.extent));
    }
    reduce.domain = reduce.domain && update.where;
    f.values = {Expr{std::move(reduce)}};
    f.updates.clear();
}

template <typename Change>
Sare changed(const Sare& sare, Change&& change) {
    const auto algorithm = unstage(sare);
    return algorithm ? stage(change(*algorithm)) : sare;
}

}  // namespace

Algorithm folded(const Algorithm& algorithm) {
    Algorithm result = algorithm;
    const std::set<std::string> parameters(algorithm.parameters.begin(), algorithm.parameters.end());
    for (Function& f : result.functions) { fold(f, parameters); }
    return result;
}

Algorithm unfolded(const Algorithm& algorithm) {
    Algorithm result = algorithm;
    for (Function& f : result.functions) { unfold(f); }
    return result;
}

Sare folded(const Sare& sare) {
    return changed(sare, [](const Algorithm& algorithm) { return folded(algorithm); });
}
Sare unfolded(const Sare& sare) {
    return changed(sare, [](const Algorithm& algorithm) { return unfolded(algorithm); });
}

}  // namespace haruspex::sare
