#include "generators/sare/wellformed.h"

#include <fmt/core.h>

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generators/sare/build.h"
#include "generators/sare/domains.h"
#include "generators/sare/staging.h"
#include "generators/sare/structure.h"

namespace haruspex::sare {

namespace {

using Kind = Subject::Kind;

void define(const Function& f, std::vector<Definition>& definitions) {
    const Subject pure{Kind::equation, f.name};
    definitions.push_back({pure, f.variables, truth(true), &f.values});
    for (std::size_t s = 1; s <= f.updates.size(); ++s) {
        const UpdateDefinition& update = f.updates[s - 1];
        std::vector<std::string> variables = f.variables;
        for (const RecurrenceVariable& k : update.over) { variables.push_back(k.name); }
        const Subject subject{Kind::update, f.name, s};
        definitions.push_back({subject, variables, recurrence_domain(update.over) && update.where, &update.values});
    }
}

// Finds a path of groups from `from` back to itself along the names that are read, if there is one.
class CycleFinder {
public:
    CycleFinder(const Sare& sare, const std::vector<Group>& groups) : reads_(groups.size()) {
        for (std::size_t g = 0; g < groups.size(); ++g) {
            names_.push_back(groups[g].staging != nullptr ? groups[g].staging->tensor
                                                          : sare.tensors[groups[g].first].name);
            for (std::size_t i = 0; i < groups[g].count; ++i) { owner_[sare.tensors[groups[g].first + i].name] = g; }
        }
        for (std::size_t g = 0; g < groups.size(); ++g) {
            for (std::size_t i = 0; i < groups[g].count; ++i) {
                for (const Equation& equation : sare.tensors[groups[g].first + i].equations) {
                    for (const std::string& name : reads(equation.values)) {
                        const auto found = owner_.find(name);
                        if (found != owner_.end() && found->second != g) { reads_[g].insert(found->second); }
                    }
                }
            }
        }
    }

    std::string cycle_through(std::size_t from) const {
        std::vector<bool> seen(names_.size(), false);
        std::string path;
        const std::function<bool(std::size_t)> leads_back = [&](std::size_t at) {
            for (const std::size_t next : reads_[at]) {
                if (next == from) {
                    path = names_[at] + " reads " + names_[from];
                    return true;
                }
                if (seen[next]) { continue; }
                seen[next] = true;
                if (leads_back(next)) {
                    path = names_[at] + " reads " + path;
                    return true;
                }
            }
            return false;
        };
        leads_back(from);
        return path;
    }

private:
    std::vector<std::string> names_;
    std::map<std::string, std::size_t> owner_;
    std::vector<std::set<std::size_t>> reads_;
};

Checked check_cycles(const Sare& sare, const std::vector<Group>& groups) {
    const CycleFinder finder(sare, groups);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].staging == nullptr) { continue; }
        const std::string cycle = finder.cycle_through(g);
        if (cycle.empty()) { continue; }
        return fault({Kind::equation, groups[g].staging->tensor},
                     fmt::format("staged tensors depend on each other in a cycle ({}); expected an order in which each "
                                 "reads only earlier ones",
                                 cycle));
    }
    return {};
}

}  // namespace

Checked find_fault(const Sare& sare) {
    if (Checked c = check_header(sare.name, sare.parameters, sare.assumptions, sare.inputs); !c) { return c; }
    std::vector<std::string> names;
    for (const Tensor& tensor : sare.tensors) { names.push_back(tensor.name); }
    if (Checked c = check_distinct(sare.parameters, sare.inputs, names); !c) { return c; }
    const auto cut = groups(sare);
    if (!cut) { return fault({}, cut.error().message); }

    Signatures defined;
    for (const Tensor& tensor : sare.tensors) { defined[tensor.name] = {tensor.types, tensor.variables.size()}; }
    Signatures readable = input_signatures(sare.inputs);
    readable.insert(defined.begin(), defined.end());

    std::vector<Function> functions;
    functions.reserve(cut->size());  // definitions point into it
    std::vector<Definition> definitions;
    PartialTensors partial;
    for (const Group& group : *cut) {
        const Tensor& tensor = sare.tensors[group.first];
        if (group.staging != nullptr) {
            auto function = unstage(std::span(sare.tensors).subspan(group.first, group.count), *group.staging);
            if (!function) { return fault({Kind::equation, group.staging->tensor}, function.error().message); }
            // The stages' equations need no check: they follow from the function's.
            if (Checked c = check_function(*function, sare.parameters, readable); !c) { return c; }
            functions.push_back(std::move(*function));
            define(functions.back(), definitions);
            continue;
        }
        if (Checked c = check_tensor(tensor, sare.parameters, readable); !c) { return c; }
        for (std::size_t i = 0; i < tensor.equations.size(); ++i) {
            const Equation& equation = tensor.equations[i];
            const Subject subject{Kind::equation, tensor.name, i};
            definitions.push_back({subject, tensor.variables, equation.domain, &equation.values});
        }
        if (tensor.equations.size() != 1 || tensor.equations.front().domain != truth(true)) {
            partial.push_back(&tensor);
        }
    }
    if (Checked c = check_outputs(sare.outputs, sare.parameters, defined); !c) { return c; }
    if (Checked c = check_cycles(sare, *cut); !c) { return c; }
    return check_domains(sare.parameters, sare.assumptions, definitions, partial, sare.outputs);
}

Result<void> check(const Sare& sare) {
    if (const Checked checked = find_fault(sare); !checked) { return fail(to_error(checked.error())); }
    return {};
}

Result<void> check(const Algorithm& algorithm) {
    if (auto checked = check_structure(algorithm); !checked) { return checked; }
    std::vector<Definition> definitions;
    for (const Function& f : algorithm.functions) { define(f, definitions); }
    const Checked checked = check_domains(algorithm.parameters, algorithm.assumptions, definitions, {}, {});
    if (!checked) { return fail(to_error(checked.error())); }
    return {};
}

}  // namespace haruspex::sare
