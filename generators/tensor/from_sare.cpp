#include "generators/tensor/from_sare.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "generators/sare/build.h"
#include "generators/sare/fold.h"
#include "generators/sare/traverse.h"
#include "generators/tensor/reading.h"
#include "generators/tensor/wellformed.h"

namespace haruspex::tensor {

namespace {

using Reason = NoProgram::Reason;
using Accepted = std::expected<void, NoProgram>;

std::unexpected<NoProgram> refuse(Reason reason, std::string tensor = {}) {
    return std::unexpected(NoProgram{reason, std::move(tensor), std::nullopt});
}

// Infers the extents of all dimensions: dimensions of equal extent form a class, some classes have a known extent.
class ExtentInference {
public:
    explicit ExtentInference(const sare::Sare& sare) : sare_(sare), extents_(sare.parameters, sare.assumptions) {}

    Accepted infer() {
        for (const sare::Input& input : sare_.inputs) { declare(input.name, static_cast<std::size_t>(input.rank)); }
        for (const sare::Tensor& tensor : sare_.tensors) { declare(tensor.name, tensor.variables.size()); }
        for (const sare::Output& output : sare_.outputs) {
            for (std::size_t d = 0; d < output.box.size(); ++d) {
                if (output.box[d].min != sare::constant(0)) { return refuse(Reason::output_box, output.tensor); }
                if (!know(first_.at(output.tensor) + d, output.box[d].extent)) {
                    return refuse(Reason::extents_differ, output.tensor);
                }
            }
        }
        for (const sare::Tensor& tensor : sare_.tensors) {
            Scope scope;
            for (std::size_t d = 0; d < tensor.variables.size(); ++d) {
                scope[tensor.variables[d]] = first_.at(tensor.name) + d;
            }
            for (const sare::Expr& value : tensor.equations.front().values) {
                if (const auto reason = constrain(value, scope)) { return refuse(*reason, tensor.name); }
            }
        }
        return {};
    }

    std::expected<std::vector<sare::Index>, NoProgram> extents_of(const std::string& name, std::size_t rank) {
        std::vector<sare::Index> extents;
        for (std::size_t d = 0; d < rank; ++d) {
            const auto& extent = classes_[root(first_.at(name) + d)].extent;
            if (!extent) { return refuse(Reason::extent_unknown, name); }
            extents.push_back(*extent);
        }
        return extents;
    }

private:
    struct Class {
        std::size_t parent = 0;
        std::optional<sare::Index> extent;
    };
    using Scope = std::map<std::string, std::size_t>;  // the dimension that a variable ranges over

    std::size_t add() {
        classes_.push_back({classes_.size(), std::nullopt});
        return classes_.size() - 1;
    }

    void declare(const std::string& name, std::size_t rank) {
        first_[name] = classes_.size();
        for (std::size_t d = 0; d < rank; ++d) { add(); }
    }

    std::size_t root(std::size_t dimension) {
        while (classes_[dimension].parent != dimension) { dimension = classes_[dimension].parent; }
        return dimension;
    }

    bool know(std::size_t dimension, const sare::Index& extent) {
        Class& of = classes_[root(dimension)];
        if (of.extent) { return extents_.are_equal(*of.extent, extent); }
        of.extent = extent;
        return true;
    }

    bool unite(std::size_t a, std::size_t b) {
        a = root(a);
        b = root(b);
        if (a == b) { return true; }
        classes_[b].parent = a;
        return !classes_[b].extent || know(a, *classes_[b].extent);
    }

    // The operations of the expression are those of read_whole.
    std::optional<Reason> constrain(const sare::Expr& expr, const Scope& scope) {
        if (const auto* access = std::get_if<sare::Access>(&expr.node)) {
            for (std::size_t d = 0; d < access->indices.size(); ++d) {
                const auto& variable = std::get<sare::IndexVariable>(access->indices[d].node);
                const auto found = scope.find(variable.name);
                if (found == scope.end()) { return Reason::index; }  // a parameter
                if (!unite(first_.at(access->tensor) + d, found->second)) { return Reason::extents_differ; }
            }
            return std::nullopt;
        }
        if (const auto* sum = std::get_if<sare::Reduce>(&expr.node)) {
            const auto extent = extent_of_sum(*sum, sare_.parameters);
            if (!extent) { return Reason::sum; }
            Scope inner = scope;
            inner[sum->variables.front()] = add();
            know(inner[sum->variables.front()], *extent);
            return constrain(*sum->body, inner);
        }
        const auto& binary = std::get<sare::Binary>(expr.node);
        const auto reason = constrain(*binary.a, scope);
        return reason ? reason : constrain(*binary.b, scope);
    }

    const sare::Sare& sare_;
    Extents extents_;
    std::map<std::string, std::size_t> first_;  // the first dimension of each tensor and input
    std::vector<Class> classes_;                // of dimensions
};

std::set<std::string> reads(const sare::Expr& expr) {
    std::set<std::string> names;
    sare::for_each_access(expr, [&](const sare::Access& access, const auto&) { names.insert(access.tensor); });
    return names;
}

// Orders the tensors so that each reads earlier ones only; among those that may be next it takes the SARE's first.
std::expected<std::vector<const sare::Tensor*>, NoProgram> in_order(const sare::Sare& sare) {
    std::set<std::string> waiting;
    for (const sare::Tensor& tensor : sare.tensors) { waiting.insert(tensor.name); }
    std::vector<const sare::Tensor*> order;
    while (!waiting.empty()) {
        const auto next = std::ranges::find_if(sare.tensors, [&](const sare::Tensor& tensor) {
            const auto names = reads(tensor.equations.front().values.front());
            return waiting.contains(tensor.name) &&
                   std::ranges::none_of(names, [&](const std::string& name) { return waiting.contains(name); });
        });
        if (next == sare.tensors.end()) { return refuse(Reason::recurrence, *waiting.begin()); }
        waiting.erase(next->name);
        order.push_back(&*next);
    }
    return order;
}

Accepted check_forms(const sare::Sare& sare) {
    if (!is_name(sare.name)) { return refuse(Reason::name); }
    for (const std::string& parameter : sare.parameters) {
        if (!is_name(parameter)) { return refuse(Reason::name, parameter); }
    }
    for (const sare::Input& input : sare.inputs) {
        if (!is_name(input.name)) { return refuse(Reason::name, input.name); }
    }
    if (!sare.stagings.empty()) { return refuse(Reason::staged, sare.stagings.front().tensor); }
    for (const sare::Tensor& tensor : sare.tensors) {
        if (!is_name(tensor.name)) { return refuse(Reason::name, tensor.name); }
        if (tensor.types.size() != 1) { return refuse(Reason::several_values, tensor.name); }
        if (tensor.equations.size() != 1) { return refuse(Reason::several_equations, tensor.name); }
        if (tensor.equations.front().domain != sare::truth(true)) { return refuse(Reason::condition, tensor.name); }
    }
    return {};
}

std::expected<Program, NoProgram> read(const sare::Sare& sare) {
    if (auto checked = check_forms(sare); !checked) { return std::unexpected(checked.error()); }
    Program program{sare.name, sare.parameters, sare.assumptions, {}, {}};
    const auto order = in_order(sare);
    if (!order) { return std::unexpected(order.error()); }
    for (const sare::Tensor* tensor : *order) {
        auto value = read_whole(tensor->equations.front().values.front(), tensor->variables);
        if (!value) { return refuse(value.error(), tensor->name); }
        program.statements.push_back({tensor->name, std::move(*value)});
    }
    ExtentInference inference(sare);
    if (auto checked = inference.infer(); !checked) { return std::unexpected(checked.error()); }
    for (const sare::Input& input : sare.inputs) {
        auto extents = inference.extents_of(input.name, static_cast<std::size_t>(input.rank));
        if (!extents) { return std::unexpected(extents.error()); }
        program.declarations.push_back({input.name, input.type, std::move(*extents), true, false});
    }
    const auto declare = [&](const sare::Tensor& tensor, bool output) -> Accepted {
        auto extents = inference.extents_of(tensor.name, tensor.variables.size());
        if (!extents) { return std::unexpected(extents.error()); }
        program.declarations.push_back({tensor.name, tensor.types.front(), std::move(*extents), false, output});
        return {};
    };
    std::set<std::string> declared;
    for (const sare::Output& output : sare.outputs) {
        declared.insert(output.tensor);
        const auto tensor = std::ranges::find(sare.tensors, output.tensor, &sare::Tensor::name);
        if (auto checked = declare(*tensor, true); !checked) { return std::unexpected(checked.error()); }
    }
    for (const sare::Tensor* tensor : *order) {
        if (declared.contains(tensor->name)) { continue; }
        if (auto checked = declare(*tensor, false); !checked) { return std::unexpected(checked.error()); }
    }
    if (auto checked = find_fault(program); !checked) {
        return std::unexpected(NoProgram{Reason::ill_formed, {}, checked.error()});
    }
    return program;
}

}  // namespace

std::expected<Program, NoProgram> from_sare(const sare::Sare& sare) {
    return read(sare.stagings.empty() ? sare : sare::unfolded(sare));
}

}  // namespace haruspex::tensor
