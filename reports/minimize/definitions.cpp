#include <algorithm>
#include <set>
#include <string>

#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "reports/minimize/pass.h"

// Passes over outputs, tensors and their components.
namespace haruspex::minimize {
namespace {

using sare::Access;
using sare::Expr;
using sare::Function;

void remove_function(Draft& draft, const std::string& name) {
    std::erase_if(draft.algorithm.functions, [&](const Function& function) { return function.name == name; });
    std::erase_if(draft.algorithm.outputs, [&](const sare::Output& output) { return output.tensor == name; });
}

// Removes the function; its readers read 1.
void propose_constant(const Draft& draft, const Function& function, const Propose& propose) {
    Draft changed = draft;
    remove_function(changed, function.name);
    replace_accesses(changed, function.name, [&](const Access& access) {
        return one(function.types[static_cast<std::size_t>(access.component)]);
    });
    if (changed.algorithm.outputs.empty()) { return; }
    remove_unreachable(changed, draft);
    propose(std::move(changed));
}

// Replaces the function by inputs, one for each component.
void propose_input(const Draft& draft, const Function& function, const Propose& propose) {
    Draft changed = draft;
    remove_function(changed, function.name);
    if (changed.algorithm.outputs.empty()) { return; }
    const auto name = [&](std::size_t component) {
        return component == 0 ? function.name : function.name + "_" + std::to_string(component);
    };
    for (std::size_t i = 0; i < function.types.size(); ++i) {
        changed.algorithm.inputs.push_back({name(i), function.types[i], static_cast<int>(function.variables.size())});
        changed.c.inputs[name(i)] = small_domain(function.types[i]);
    }
    replace_accesses(changed, function.name, [&](const Access& access) {
        return Expr{Access{name(static_cast<std::size_t>(access.component)), access.indices, 0}};
    });
    remove_unreachable(changed, draft);
    propose(std::move(changed));
}

// The tensors that an output reads, and those that no other tensor reads.
std::set<std::string> replacements_of(const Draft& draft, const Function& output) {
    std::set<std::string> names = tensors_read_by(output), read;
    for (const Function& function : draft.algorithm.functions) { read.merge(tensors_read_by(function)); }
    for (const Function& function : draft.algorithm.functions) {
        if (!read.contains(function.name) && function.name != output.name) { names.insert(function.name); }
    }
    return names;
}

// Makes a tensor that the output reads, or that no other reads, the output in its place, on a box of the same spans.
void propose_producers(const Draft& draft, const sare::Output& output, const Propose& propose) {
    const Function* consumer = find_function(draft, output.tensor);
    if (consumer == nullptr) { return; }
    for (const std::string& name : replacements_of(draft, *consumer)) {
        const Function* producer = find_function(draft, name);
        if (producer == nullptr) { continue; }
        Draft changed = draft;
        remove_function(changed, output.tensor);
        const bool is_asked_for = std::ranges::find(changed.algorithm.outputs, name, &sare::Output::tensor) !=
                                  changed.algorithm.outputs.end();
        if (is_asked_for) { continue; }
        sare::Output asked{name, {}};
        for (std::size_t i = 0; i < producer->variables.size(); ++i) {
            asked.box.push_back(output.box.empty() ? sare::Span{sare::constant(0), sare::constant(8)}
                                                   : output.box[i % output.box.size()]);
        }
        changed.algorithm.outputs.push_back(std::move(asked));
        replace_accesses(changed, output.tensor, [&](const Access& access) {
            return one(consumer->types[static_cast<std::size_t>(access.component)]);
        });
        remove_unreachable(changed, draft);
        propose(std::move(changed));
    }
}

}  // namespace

void drop_outputs(const Draft& draft, const Propose& propose) {
    const auto& outputs = draft.algorithm.outputs;
    if (outputs.size() > 2) {
        for (const sare::Output& output : outputs) {
            Draft changed = draft;
            changed.algorithm.outputs = {output};
            remove_unreachable(changed, draft);
            propose(std::move(changed));
        }
    }
    for (std::size_t i = outputs.size(); outputs.size() > 1 && i-- > 0;) {
        Draft changed = draft;
        changed.algorithm.outputs.erase(changed.algorithm.outputs.begin() + static_cast<std::ptrdiff_t>(i));
        remove_unreachable(changed, draft);
        propose(std::move(changed));
    }
}

void drop_tensors(const Draft& draft, const Propose& propose) {
    for (const sare::Output& output : draft.algorithm.outputs) { propose_producers(draft, output, propose); }
    for (auto function = draft.algorithm.functions.rbegin(); function != draft.algorithm.functions.rend(); ++function) {
        propose_constant(draft, *function, propose);
        propose_input(draft, *function, propose);
    }
}

void inline_tensors(const Draft& draft, const Propose& propose) {
    // Repeated inlining would let expressions grow without bound.
    constexpr std::size_t most_expressions = 1000;
    for (const Function& function : draft.algorithm.functions) {
        const bool is_output = std::ranges::find(draft.algorithm.outputs, function.name, &sare::Output::tensor) !=
                               draft.algorithm.outputs.end();
        if (is_output) { continue; }
        Draft changed = draft;
        remove_function(changed, function.name);
        replace_accesses(changed, function.name, [&](const Access& access) {
            sare::Substitution by;
            for (std::size_t i = 0; i < function.variables.size(); ++i) {
                by[function.variables[i]] = access.indices[i];
            }
            return sare::substitute(function.values[static_cast<std::size_t>(access.component)], by);
        });
        if (places(changed).exprs.size() <= most_expressions) { propose(std::move(changed)); }
    }
}

void drop_components(const Draft& draft, const Propose& propose) {
    const auto& functions = draft.algorithm.functions;
    for (std::size_t f = functions.size(); f-- > 0;) {
        for (std::size_t c = functions[f].types.size(); functions[f].types.size() > 1 && c-- > 0;) {
            Draft changed = draft;
            Function& function = changed.algorithm.functions[f];
            const auto at = static_cast<std::ptrdiff_t>(c);
            const value::Type type = function.types[c];
            function.types.erase(function.types.begin() + at);
            function.values.erase(function.values.begin() + at);
            for (sare::UpdateDefinition& update : function.updates) { update.values.erase(update.values.begin() + at); }
            for (Expr* expr : places(changed).exprs) {
                auto* access = std::get_if<Access>(&expr->node);
                if (access == nullptr || access->tensor != function.name) { continue; }
                if (access->component > static_cast<int>(c)) {
                    --access->component;
                } else if (access->component == static_cast<int>(c)) {
                    *expr = one(type);
                }
            }
            propose(std::move(changed));
        }
    }
}

}  // namespace haruspex::minimize
