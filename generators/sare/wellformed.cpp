#include "generators/sare/wellformed.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/domains.h"
#include "generators/sare/expr_check.h"
#include "generators/sare/fault.h"
#include "generators/sare/names.h"
#include "generators/sare/staging.h"
#include "generators/sare/traverse.h"

namespace haruspex::sare {

namespace {

using Kind = Subject::Kind;

std::unexpected<Fault> fault(const Subject& subject, std::string message) {
    return std::unexpected(Fault{std::move(message), subject});
}

Checked on(const Subject& subject, const Sound& sound) {
    if (!sound) { return fault(subject, sound.error()); }
    return {};
}

bool has(const Scope& scope, const std::string& name) {
    return std::find(scope.begin(), scope.end(), name) != scope.end();
}

// Declares new variables in a scope: proper names that are not yet in it.
Checked declare(const Subject& subject, const std::vector<std::string>& names, Scope& scope) {
    for (const std::string& name : names) {
        if (!is_name(name)) { return fault(subject, "expected a variable's name, found '" + name + "'"); }
        if (has(scope, name)) {
            return fault(subject, "variable " + name + " is in scope already: expected a new name");
        }
        scope.push_back(name);
    }
    return {};
}

Checked check_rank(const Subject& subject, std::size_t rank) {
    if (rank <= static_cast<std::size_t>(max_rank)) { return {}; }
    return fault(subject, "rank " + std::to_string(rank) + ": expected at most " + std::to_string(max_rank));
}

// Checks the parts that SAREs and algorithms have in common: parameters, assumptions, inputs.
Checked check_header(const std::string& name, const std::vector<std::string>& parameters, const Condition& assumptions,
                     const std::vector<Input>& inputs) {
    const Subject system;
    if (!is_name(name)) { return fault(system, "expected the system's name, found '" + name + "'"); }
    Scope scope;
    if (Checked c = declare(system, parameters, scope); !c) { return c; }
    if (Checked c = on({Kind::assumptions}, check_condition(assumptions, scope)); !c) { return c; }
    for (const Input& input : inputs) {
        const Subject subject{Kind::input, input.name};
        if (!is_name(input.name)) { return fault(subject, "expected an input's name, found '" + input.name + "'"); }
        if (input.rank < 0) { return fault(subject, "expected a rank that is not negative"); }
        if (Checked c = check_rank(subject, static_cast<std::size_t>(input.rank)); !c) { return c; }
    }
    return {};
}

Signatures input_signatures(const std::vector<Input>& inputs) {
    Signatures signatures;
    for (const Input& input : inputs) { signatures[input.name] = {{input.type}, static_cast<std::size_t>(input.rank)}; }
    return signatures;
}

// Names of parameters, inputs and tensors must be distinct: all of them become names in the compiler.
Checked check_distinct(const std::vector<std::string>& parameters, const std::vector<Input>& inputs,
                       const std::vector<std::string>& tensors) {
    std::set<std::string> taken(parameters.begin(), parameters.end());
    const auto take = [&](const Subject& subject, const std::string& name) -> Checked {
        if (taken.insert(name).second) { return {}; }
        return fault(subject, "the name " + name + " is taken: expected a new name");
    };
    for (const Input& input : inputs) {
        if (Checked c = take({Kind::input, input.name}, input.name); !c) { return c; }
    }
    for (const std::string& name : tensors) {
        if (Checked c = take({Kind::equation, name}, name); !c) { return c; }
    }
    return {};
}

Checked check_values(const Subject& subject, const std::vector<Expr>& values, const std::vector<value::Type>& types,
                     const Scope& scope, const Signatures& tensors) {
    if (values.size() != types.size()) {
        return fault(subject, "expected " + std::to_string(types.size()) + " values, one for each component, found " +
                                  std::to_string(values.size()));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Typed type = check_expr(values[i], scope, tensors);
        if (!type) { return fault(subject, type.error()); }
        if (*type != types[i]) {
            return fault(subject, "expected a value of type " + std::string(value::name(types[i])) + ", found " +
                                      std::string(value::name(*type)));
        }
    }
    return {};
}

Checked check_tensor(const Tensor& tensor, const std::vector<std::string>& parameters, const Signatures& tensors) {
    const Subject whole{Kind::equation, tensor.name};
    if (!is_tensor_name(tensor.name)) { return fault(whole, "expected a tensor's name, found '" + tensor.name + "'"); }
    if (tensor.types.empty()) { return fault(whole, "expected at least one component"); }
    if (tensor.equations.empty()) { return fault(whole, "expected an equation that defines " + tensor.name); }
    if (Checked c = check_rank(whole, tensor.variables.size()); !c) { return c; }
    Scope scope = parameters;
    if (Checked c = declare(whole, tensor.variables, scope); !c) { return c; }
    for (std::size_t i = 0; i < tensor.equations.size(); ++i) {
        const Subject subject{Kind::equation, tensor.name, i};
        if (Checked c = on(subject, check_condition(tensor.equations[i].domain, scope)); !c) { return c; }
        if (Checked c = check_values(subject, tensor.equations[i].values, tensor.types, scope, tensors); !c) {
            return c;
        }
    }
    return {};
}

// Whether the tensor is the function itself or one of its stages, which only its updates may read.
bool is_own(const Function& f, const std::string& tensor) {
    return tensor == f.name || (!f.updates.empty() && tensor.starts_with(f.name + "."));
}

// Every access to the function itself must have its pure variables at the target's positions (thesis 2.4.3).
Sound check_self_access(const Function& f, const UpdateDefinition& update, const Access& access) {
    if (access.tensor != f.name) {
        return std::unexpected("an update reads its own tensor as " + f.name + ", found " + access.tensor);
    }
    for (std::size_t p = 0; p < f.variables.size(); ++p) {
        if (!is_pure_position(f, update, p) || access.indices[p] == variable(f.variables[p])) { continue; }
        return std::unexpected("an update reads its own tensor at other pure variables than it writes: expected " +
                               f.variables[p] + " as index " + std::to_string(p + 1) + " of " + f.name);
    }
    return {};
}

Checked check_update(const Function& f, std::size_t s, const std::vector<std::string>& parameters,
                     const Signatures& tensors) {
    const UpdateDefinition& update = f.updates[s - 1];
    const Subject subject{Kind::update, f.name, s};
    if (update.target.size() != f.variables.size()) {
        return fault(subject, f.name + " has rank " + std::to_string(f.variables.size()) +
                                  ": expected as many indices, found " + std::to_string(update.target.size()));
    }
    // The function's variables are declared with the rest, so that no recurrence variable takes their name.
    Scope names = parameters;
    names.insert(names.end(), f.variables.begin(), f.variables.end());
    const std::size_t known = names.size();
    for (const RecurrenceVariable& k : update.over) {
        if (Checked c = declare(subject, {k.name}, names); !c) { return c; }
        if (Checked c = on(subject, check_index(k.min, parameters)); !c) { return c; }
        if (Checked c = on(subject, check_index(k.extent, parameters)); !c) { return c; }
    }
    if (Checked c = check_rank(subject, names.size() - parameters.size()); !c) { return c; }
    Scope scope = parameters;
    for (std::size_t p = 0; p < f.variables.size(); ++p) {
        if (is_pure_position(f, update, p)) { scope.push_back(f.variables[p]); }
    }
    scope.insert(scope.end(), names.begin() + static_cast<std::ptrdiff_t>(known), names.end());
    for (const Index& index : update.target) {
        if (Checked c = on(subject, check_index(index, scope)); !c) { return c; }
    }
    if (Checked c = on(subject, check_condition(update.where, scope)); !c) { return c; }
    if (Checked c = check_values(subject, update.values, f.types, scope, tensors); !c) { return c; }
    Sound own;
    for (const Expr& value : update.values) {
        for_each_access(value, [&](const Access& access, const auto&) {
            if (own && is_own(f, access.tensor)) { own = check_self_access(f, update, access); }
        });
    }
    return on(subject, own);
}

Checked check_function(const Function& f, const std::vector<std::string>& parameters, const Signatures& tensors) {
    const Subject subject{Kind::equation, f.name};
    if (!is_name(f.name)) { return fault(subject, "expected a function's name, found '" + f.name + "'"); }
    const Tensor pure{f.name, f.types, f.variables, {{truth(true), f.values}}};
    if (Checked c = check_tensor(pure, parameters, tensors); !c) { return c; }
    Sound own;
    for (const Expr& value : f.values) {
        for_each_access(value, [&](const Access& access, const auto&) {
            if (own && is_own(f, access.tensor)) {
                own = std::unexpected("a pure definition reads " + access.tensor +
                                      " itself: expected inputs and other tensors");
            }
        });
    }
    if (Checked c = on(subject, own); !c) { return c; }
    for (std::size_t s = 1; s <= f.updates.size(); ++s) {
        if (Checked c = check_update(f, s, parameters, tensors); !c) { return c; }
    }
    return {};
}

Checked check_outputs(const std::vector<Output>& outputs, const std::vector<std::string>& parameters,
                      const Signatures& defined) {
    if (outputs.empty()) { return fault({}, "nothing is requested: expected an output"); }
    std::set<std::string> seen;
    for (const Output& output : outputs) {
        const Subject subject{Kind::output, output.tensor};
        const auto found = defined.find(output.tensor);
        if (found == defined.end()) { return fault(subject, "expected a defined tensor, found " + output.tensor); }
        if (!seen.insert(output.tensor).second) { return fault(subject, "expected one output of " + output.tensor); }
        if (output.box.size() != found->second.rank) {
            return fault(subject, output.tensor + " has rank " + std::to_string(found->second.rank) +
                                      ": expected as many dimensions, found " + std::to_string(output.box.size()));
        }
        for (const Span& span : output.box) {
            if (Checked c = on(subject, check_index(span.min, parameters)); !c) { return c; }
            if (Checked c = on(subject, check_index(span.extent, parameters)); !c) { return c; }
        }
    }
    return {};
}

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

// The names that the expressions read; the caller removes its own.
std::set<std::string> reads(const std::vector<Expr>& values) {
    std::set<std::string> names;
    for (const Expr& value : values) {
        for_each_access(value, [&](const Access& access, const auto&) { names.insert(access.tensor); });
    }
    return names;
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
                     "staged tensors depend on each other in a cycle (" + cycle + "): expected an order of definition");
    }
    return {};
}

Checked find_structural_fault(const Algorithm& algorithm) {
    if (Checked c = check_header(algorithm.name, algorithm.parameters, algorithm.assumptions, algorithm.inputs); !c) {
        return c;
    }
    std::vector<std::string> names;
    for (const Function& f : algorithm.functions) { names.push_back(f.name); }
    if (Checked c = check_distinct(algorithm.parameters, algorithm.inputs, names); !c) { return c; }
    Signatures defined;
    for (const Function& f : algorithm.functions) { defined[f.name] = {f.types, f.variables.size()}; }
    Signatures readable = input_signatures(algorithm.inputs);
    for (const Function& f : algorithm.functions) {
        const auto later = [&](const std::vector<Expr>& values, const Subject& subject) -> Checked {
            for (const std::string& name : reads(values)) {
                if (name == f.name || readable.contains(name) || !defined.contains(name)) { continue; }
                return fault(subject,
                             name + " is defined after " + f.name + ": expected an input or an earlier tensor");
            }
            return {};
        };
        if (Checked c = later(f.values, {Kind::equation, f.name}); !c) { return c; }
        for (std::size_t s = 1; s <= f.updates.size(); ++s) {
            if (Checked c = later(f.updates[s - 1].values, {Kind::update, f.name, s}); !c) { return c; }
        }
        readable[f.name] = defined[f.name];
        if (Checked c = check_function(f, algorithm.parameters, readable); !c) { return c; }
    }
    return check_outputs(algorithm.outputs, algorithm.parameters, defined);
}

}  // namespace

std::string describe(const Subject& subject) {
    switch (subject.kind) {
        case Kind::system: return "";
        case Kind::assumptions: return "assumptions";
        case Kind::input: return "input " + subject.tensor;
        case Kind::equation: return subject.tensor;
        case Kind::update: return "update " + std::to_string(subject.number) + " of " + subject.tensor;
        case Kind::output: return "output " + subject.tensor;
    }
    raise_internal_error(__FILE__, __LINE__, "no such subject");
}

Error to_error(const Fault& fault) {
    const std::string subject = describe(fault.subject);
    return {subject.empty() ? fault.message : subject + ": " + fault.message, {}, {}};
}

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

Result<void> check_structure(const Algorithm& algorithm) {
    if (const Checked checked = find_structural_fault(algorithm); !checked) { return fail(to_error(checked.error())); }
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
