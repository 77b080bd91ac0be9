#include "generators/sare/structure.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "generators/sare/build.h"
#include "generators/sare/limits.h"
#include "generators/sare/names.h"
#include "generators/sare/traverse.h"

namespace haruspex::sare {

namespace {

using Kind = Subject::Kind;

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
        if (!is_name(name)) { return fault(subject, fmt::format("expected a variable's name, found \"{}\"", name)); }
        if (has(scope, name)) { return fault(subject, already_in_scope(name)); }
        scope.push_back(name);
    }
    return {};
}

Checked check_rank(const Subject& subject, std::size_t rank) {
    if (rank <= static_cast<std::size_t>(max_rank)) { return {}; }
    return fault(subject, fmt::format("rank {} is too large; expected at most {}", rank, max_rank));
}

Checked check_values(const Subject& subject, const std::vector<Expr>& values, const std::vector<value::Type>& types,
                     const Scope& scope, const Signatures& tensors) {
    if (values.size() != types.size()) {
        return fault(subject,
                     fmt::format("expected {} values, one for each component, found {}", types.size(), values.size()));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Typed type = check_expr(values[i], scope, tensors);
        if (!type) { return fault(subject, type.error()); }
        if (*type != types[i]) {
            return fault(subject, fmt::format("expected a value of type {}, found {}", value::name(types[i]),
                                              value::name(*type)));
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
        return std::unexpected(
            fmt::format("an update reads its own tensor as \"{}\"; expected \"{}\"", access.tensor, f.name));
    }
    for (std::size_t p = 0; p < f.variables.size(); ++p) {
        if (!is_pure_position(f, update, p) || access.indices[p] == variable(f.variables[p])) { continue; }
        return std::unexpected(
            fmt::format("an update reads its own tensor at other pure variables than it writes; expected \"{}\" as "
                        "index {} of \"{}\"",
                        f.variables[p], p + 1, f.name));
    }
    return {};
}

Checked check_update(const Function& f, std::size_t s, const std::vector<std::string>& parameters,
                     const Signatures& tensors) {
    const UpdateDefinition& update = f.updates[s - 1];
    const Subject subject{Kind::update, f.name, s};
    if (update.target.size() != f.variables.size()) {
        return fault(subject, wrong_rank(f.name, f.variables.size(), "index", "indices", update.target.size()));
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

}  // namespace

Checked check_header(const std::string& name, const std::vector<std::string>& parameters, const Condition& assumptions,
                     const std::vector<Input>& inputs) {
    const Subject system;
    if (!is_name(name)) { return fault(system, fmt::format("expected the system's name, found \"{}\"", name)); }
    Scope scope;
    if (Checked c = declare(system, parameters, scope); !c) { return c; }
    if (Checked c = on({Kind::assumptions}, check_condition(assumptions, scope)); !c) { return c; }
    for (const Input& input : inputs) {
        const Subject subject{Kind::input, input.name};
        if (!is_name(input.name)) {
            return fault(subject, fmt::format("expected an input's name, found \"{}\"", input.name));
        }
        if (input.rank < 0) {
            return fault(subject, fmt::format("expected a rank of at least 0, found {}", input.rank));
        }
        if (Checked c = check_rank(subject, static_cast<std::size_t>(input.rank)); !c) { return c; }
    }
    return {};
}

Signatures input_signatures(const std::vector<Input>& inputs) {
    Signatures signatures;
    for (const Input& input : inputs) { signatures[input.name] = {{input.type}, static_cast<std::size_t>(input.rank)}; }
    return signatures;
}

Checked check_distinct(const std::vector<std::string>& parameters, const std::vector<Input>& inputs,
                       const std::vector<std::string>& tensors) {
    std::set<std::string> taken(parameters.begin(), parameters.end());
    const auto take = [&](const Subject& subject, const std::string& name) -> Checked {
        if (taken.insert(name).second) { return {}; }
        return fault(subject, already_used(name));
    };
    for (const Input& input : inputs) {
        if (Checked c = take({Kind::input, input.name}, input.name); !c) { return c; }
    }
    for (const std::string& name : tensors) {
        if (Checked c = take({Kind::equation, name}, name); !c) { return c; }
    }
    return {};
}

Checked check_tensor(const Tensor& tensor, const std::vector<std::string>& parameters, const Signatures& tensors) {
    const Subject whole{Kind::equation, tensor.name};
    if (!is_tensor_name(tensor.name)) {
        return fault(whole, fmt::format("expected a tensor's name, found \"{}\"", tensor.name));
    }
    if (tensor.types.empty()) { return fault(whole, "it has no components; expected at least one"); }
    if (tensor.equations.empty()) { return fault(whole, "it has no equation; expected at least one"); }
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

Checked check_function(const Function& f, const std::vector<std::string>& parameters, const Signatures& tensors) {
    const Subject subject{Kind::equation, f.name};
    if (!is_name(f.name)) { return fault(subject, fmt::format("expected a function's name, found \"{}\"", f.name)); }
    const Tensor pure{f.name, f.types, f.variables, {{truth(true), f.values}}};
    if (Checked c = check_tensor(pure, parameters, tensors); !c) { return c; }
    Sound own;
    for (const Expr& value : f.values) {
        for_each_access(value, [&](const Access& access, const auto&) {
            if (own && is_own(f, access.tensor)) {
                own = std::unexpected(
                    fmt::format("a pure definition reads its own tensor as \"{}\"; expected inputs and other tensors",
                                access.tensor));
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
    if (outputs.empty()) { return fault({}, "no output is requested; expected at least one"); }
    std::set<std::string> seen;
    for (const Output& output : outputs) {
        const Subject subject{Kind::output, output.tensor};
        const auto found = defined.find(output.tensor);
        if (found == defined.end()) {
            return fault(subject, fmt::format("expected a defined tensor, found \"{}\"", output.tensor));
        }
        if (!seen.insert(output.tensor).second) { return fault(subject, requested_twice(output.tensor)); }
        if (output.box.size() != found->second.rank) {
            return fault(subject,
                         wrong_rank(output.tensor, found->second.rank, "dimension", "dimensions", output.box.size()));
        }
        for (const Span& span : output.box) {
            if (Checked c = on(subject, check_index(span.min, parameters)); !c) { return c; }
            if (Checked c = on(subject, check_index(span.extent, parameters)); !c) { return c; }
        }
    }
    return {};
}

std::set<std::string> reads(const std::vector<Expr>& values) {
    std::set<std::string> names;
    for (const Expr& value : values) {
        for_each_access(value, [&](const Access& access, const auto&) { names.insert(access.tensor); });
    }
    return names;
}

namespace {

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
                             fmt::format("\"{}\" is defined after \"{}\"; expected an input or an earlier tensor", name,
                                         f.name));
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

Result<void> check_structure(const Algorithm& algorithm) {
    if (const Checked checked = find_structural_fault(algorithm); !checked) { return fail(to_error(checked.error())); }
    return {};
}

}  // namespace haruspex::sare
