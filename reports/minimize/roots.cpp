#include <string>
#include <utility>

#include "generators/sare/build.h"
#include "reports/minimize/pass.h"

// A pass that reduces a program to the memory of its tensors.
namespace haruspex::minimize {
namespace {

using sare::Expr;
using sare::Function;

// Gives every tensor that is not an output memory of its own, which one definition fills; nothing else is scheduled.
Draft at_root(const Draft& draft) {
    Draft changed = draft;
    changed.c.schedule.directives.clear();
    for (Function& function : changed.algorithm.functions) { function.updates.clear(); }
    remove_unreachable(changed, draft);
    for (const Function& function : changed.algorithm.functions) { place(changed, function.name); }
    return changed;
}

// Makes the output a copy of one component of a tensor that it reads.
Draft copied(const Draft& draft, const sare::Output& output, const Function& read, std::size_t component) {
    Draft changed = draft;
    Expr cell{sare::Access{read.name, {}, static_cast<int>(component)}};
    sare::Output copy{output.tensor, {}};
    for (const std::string& variable : read.variables) {
        std::get<sare::Access>(cell.node).indices.push_back(sare::variable(variable));
        copy.box.push_back({sare::constant(0), sare::constant(enough)});
    }
    for (Function& function : changed.algorithm.functions) {
        if (function.name != output.tensor) { continue; }
        function = {function.name, {read.types[component]}, read.variables, {cell}, {}};
    }
    changed.algorithm.outputs = {std::move(copy)};
    remove_unreachable(changed, draft);
    return at_root(changed);
}

}  // namespace

// A bug of bounds or memory needs a tensor with memory and one that reads it. Wrong cells may be hidden if they are not
// read or are written again, unless vectors or a folded storage reveal them. So a copy of all cells, each with another
// value, is tried as well.
void compute_at_root(const Draft& draft, const Propose& propose) {
    propose(at_root(draft));
    for (const sare::Output& output : draft.algorithm.outputs) {
        const Function* reader = find_function(draft, output.tensor);
        if (reader == nullptr) { continue; }
        for (const std::string& name : tensors_read_by(*reader)) {
            const Function* read = find_function(draft, name);
            for (std::size_t c = 0; read != nullptr && c < read->types.size(); ++c) {
                const Draft changed = copied(draft, output, *read, c);
                propose(changed);
                for (const std::string& variable : read->variables) {
                    Draft varied = changed;
                    for (Function& function : varied.algorithm.functions) {
                        if (function.name == name) { function.values[c] = varying(function.types[c], variable); }
                    }
                    propose(std::move(varied));
                }
            }
        }
    }
}

}  // namespace haruspex::minimize
