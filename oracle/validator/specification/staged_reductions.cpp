#include "oracle/validator/specification/staged_reductions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "generators/affine/parameters.h"
#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/isl.h"
#include "generators/sare/names.h"
#include "generators/sare/staging.h"
#include "generators/sare/traverse.h"

namespace haruspex::validator {
namespace {

using sare::Access;
using sare::Expr;
using sare::Index;
using value::BinaryOp;

using Dependences = std::map<std::string, std::set<std::string>>;

Dependences direct_dependences(const sare::Sare& sare) {
    Dependences reads;
    for (const sare::Tensor& tensor : sare.tensors) {
        for (const sare::Equation& equation : tensor.equations) {
            for (const Expr& value : equation.values) {
                sare::for_each_access(
                    value, [&](const Access& access, const auto&) { reads[tensor.name].insert(access.tensor); });
            }
        }
    }
    return reads;
}

// Whether a value of `from` may depend on `to`, in any number of steps.
bool depends(const Dependences& reads, const std::string& from, const std::string& to) {
    std::set<std::string> seen{from};
    std::vector<std::string> open{from};
    while (!open.empty()) {
        const std::string tensor = open.back();
        open.pop_back();
        if (tensor == to) { return true; }
        const auto found = reads.find(tensor);
        if (found == reads.end()) { continue; }
        for (const std::string& next : found->second) {
            if (seen.insert(next).second) { open.push_back(next); }
        }
    }
    return false;
}

// The operator by which the update accumulates into its own cell, if it does: the value is a chain of one operator in
// which the cell is one operand, or the cell minus an expression. nullopt also if the update reads its function
// elsewhere.
std::optional<BinaryOp> accumulating(const Expr& value, const Expr& own, const std::string& function) {
    const auto* binary = std::get_if<sare::Binary>(&value.node);
    if (binary == nullptr) { return std::nullopt; }
    std::size_t reads = 0;
    bool has_reduction = false;
    sare::for_each_access(value, [&](const Access& access, const auto& reductions) {
        if (access.tensor == function) { ++reads; }
        has_reduction = has_reduction || !reductions.empty();
    });
    if (reads != 1 || has_reduction) { return std::nullopt; }
    if (binary->op == BinaryOp::sub) { return *binary->a == own ? std::optional(BinaryOp::add) : std::nullopt; }
    const std::vector<const Expr*> operands = sare::operands_of(value, binary->op);
    const bool has_own = std::ranges::any_of(operands, [&](const Expr* operand) { return *operand == own; });
    return has_own ? std::optional(binary->op) : std::nullopt;
}

// The chain of the operator's operands without `own`, which is one of them, and only one (accumulating); nullopt if the
// value is no such chain.
std::optional<Expr> without(const Expr& value, const Expr& own, BinaryOp op) {
    std::optional<Expr> chain;
    const auto* binary = std::get_if<sare::Binary>(&value.node);
    if (binary == nullptr || binary->op != op) { return std::nullopt; }
    for (const Expr* operand : sare::operands_of(value, op)) {
        if (*operand == own) { continue; }
        chain = chain ? Expr{sare::Binary{op, std::move(*chain), *operand}} : *operand;
    }
    return chain;
}

// The fold of a stage's component; nullopt if it is none.
std::optional<StagedReduction> fold_of(const sare::Function& f, std::size_t update, std::size_t component,
                                       const sare::Tensor& stage, const Dependences& reads) {
    const sare::UpdateDefinition& definition = f.updates[update - 1];
    if (definition.over.empty() || stage.equations.size() < 2) { return std::nullopt; }
    const Expr own{Access{f.name, definition.target, static_cast<int>(component)}};
    const auto op = accumulating(definition.values.at(component), own, f.name);
    if (!op) { return std::nullopt; }
    // Nothing else in the value depends on the update.
    bool is_independent = true;
    sare::for_each_access(definition.values[component], [&](const Access& access, const auto&) {
        if (access.tensor != f.name && depends(reads, access.tensor, stage.name)) { is_independent = false; }
    });
    if (!is_independent) { return std::nullopt; }
    const auto* before = std::get_if<Access>(&stage.equations.back().values.at(component).node);
    if (before == nullptr) { return std::nullopt; }

    const std::string suffix = component == 0 ? "" : std::to_string(component);
    StagedReduction result{f.name,
                           stage.name,
                           update,
                           f.updates.size(),
                           static_cast<int>(component),
                           *op,
                           stage.types[component],
                           stage.name + "@v" + suffix,
                           stage.name + "@" + suffix,
                           stage.name + "$" + suffix,
                           {},
                           {},
                           f.variables.size(),
                           definition.over,
                           *before};
    const sare::Equation& equation = stage.equations.front();
    const Access partial{result.partial, sare::as_indices(stage.variables), 0};
    std::size_t replaced = 0;
    const Expr value = sare::map_accesses(equation.values[component], [&](const Access& access) {
        if (access.tensor != stage.name) { return access; }
        ++replaced;
        return partial;
    });
    ENSURE(replaced == 1, "a step of a reduction reads the value before it once: " + stage.name);
    result.steps = {result.step, {result.type}, stage.variables, {{equation.domain, {value}}}};
    if (auto operand = without(value, Expr{partial}, *op)) {
        result.operands = {result.operand, {result.type}, stage.variables, {{equation.domain, {std::move(*operand)}}}};
    }
    return result;
}

std::vector<std::string> numbered(const std::string& prefix, std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t d = 0; d < count; ++d) { names.push_back(prefix + std::to_string(d)); }
    return names;
}

}  // namespace

bool allows_any_order(const StagedReduction& reduction, const Arithmetic& arithmetic) {
    const bool is_sum = reduction.op == BinaryOp::add;
    if (is_sum && arithmetic.regroups_sums && value::is_float(reduction.type)) { return true; }
    if (is_sum && arithmetic.sums_fit && value::overflow_is_undefined(reduction.type)) { return true; }
    const bool is_bound = reduction.op == BinaryOp::min || reduction.op == BinaryOp::max;
    return value::is_associative(reduction.op, reduction.type,
                                 arithmetic.exact_reals || (is_bound && arithmetic.are_numbers));
}

std::vector<StagedReduction> staged_reductions(const sare::Sare& sare) {
    std::vector<StagedReduction> result;
    const auto groups = sare::groups(sare);
    if (!groups) { return result; }
    const Dependences reads = direct_dependences(sare);
    for (const sare::Group& group : *groups) {
        if (group.staging == nullptr) { continue; }
        const std::span<const sare::Tensor> tensors = std::span(sare.tensors).subspan(group.first, group.count);
        const auto function = sare::unstage(tensors, *group.staging);
        if (!function) { continue; }
        for (std::size_t update = 1; update <= function->updates.size(); ++update) {
            for (std::size_t component = 0; component < function->types.size(); ++component) {
                if (auto fold = fold_of(*function, update, component, tensors[update], reads)) {
                    result.push_back(std::move(*fold));
                }
            }
        }
    }
    return result;
}

sare::Sare with_steps(const sare::Sare& sare, const std::vector<StagedReduction>& reductions) {
    sare::Sare result = sare;
    for (const StagedReduction& reduction : reductions) {
        const int rank = static_cast<int>(reduction.steps.variables.size());
        result.inputs.push_back({reduction.partial, reduction.type, rank});
        result.tensors.push_back(reduction.steps);
        if (reduction.operands) { result.tensors.push_back(*reduction.operands); }
    }
    return result;
}

Steps steps_of(const StagedReduction& reduction, const Specification& specification) {
    const sare::AffineSpace& parameters = specification.parameters();
    const isl::ctx ctx = parameters.space().ctx();
    const std::size_t rank = reduction.rank, dimensions = reduction.steps.variables.size();
    // The tuple's dimensions are parameters at first, which have names that nothing else has.
    const std::vector<std::string> names = numbered("@", dimensions);
    sare::AffineSpace::Environment meanings = parameters.names();
    std::vector<isl::pw_aff> last;
    for (std::size_t d = 0; d < dimensions; ++d) {
        const isl::pw_aff here = affine::parameter(ctx, names[d]);
        meanings.insert_or_assign(reduction.steps.variables[d], here);
        if (d < rank) { last.push_back(here); }
    }
    const sare::AffineSpace here(parameters.space(), std::move(meanings));
    for (const Index& index : sare::last_step(reduction.over)) { last.push_back(here.convert(index)); }
    std::vector<isl::pw_aff> before;
    for (const Index& index : reduction.before.indices) { before.push_back(here.convert(index)); }
    const isl::multi_id tuple = affine::tuple_of(ctx, names);
    const auto mapped = [&](const std::vector<isl::pw_aff>& to) {
        return affine::tuple(ctx, to).as_set().unbind_params_insert_domain(tuple);
    };
    return {here.convert(reduction.steps.equations.front().domain).unbind_params(tuple), mapped(last), mapped(before)};
}

}  // namespace haruspex::validator
