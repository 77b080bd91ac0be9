#include "generators/sare/staging.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/names.h"
#include "generators/sare/structure.h"
#include "generators/sare/traverse.h"

namespace haruspex::sare {

namespace {

using Over = std::vector<RecurrenceVariable>;

Index step_variable(const RecurrenceVariable& k) { return variable(k.name); }
Index maximum(const RecurrenceVariable& k) { return k.min + k.extent - constant(1); }

std::vector<Index> concat(std::vector<Index> front, const std::vector<Index>& back) {
    front.insert(front.end(), back.begin(), back.end());
    return front;
}

// Every component of the tensor at these indices.
std::vector<Expr> cell(const std::string& tensor, const std::vector<Index>& indices, std::size_t components) {
    std::vector<Expr> values;
    for (std::size_t c = 0; c < components; ++c) {
        values.push_back(Expr{Access{tensor, indices, static_cast<int>(c)}});
    }
    return values;
}

// The access to the function's value just before a step of stage s: the tensor, and the indices after the function's
// own.
struct Before {
    std::string tensor;
    std::vector<Index> step;
};

Before last_of_stage(const Function& f, std::size_t s) {
    return {stage_name(f.name, s), s == 0 ? std::vector<Index>{} : last_step(f.updates[s - 1].over)};
}

Before before_step(const Function& f, std::size_t s) {
    const Over& over = f.updates[s - 1].over;
    return over.empty() ? last_of_stage(f, s - 1) : Before{stage_name(f.name, s), previous_step(over)};
}

Expr read_before(const Expr& expr, const std::string& function, const Before& before) {
    return map_accesses(expr, [&](const Access& access) {
        if (access.tensor != function) { return access; }
        return Access{before.tensor, concat(access.indices, before.step), access.component};
    });
}

// The points that update s writes: the filter holds and the cell is the target.
Condition written(const Function& f, const UpdateDefinition& update) {
    Condition condition = update.where;
    for (std::size_t p = 0; p < f.variables.size(); ++p) {
        if (is_pure_position(f, update, p)) { continue; }
        condition = condition && compare(Relation::eq, variable(f.variables[p]), update.target[p]);
    }
    return condition;
}

Condition outside(const Over& over) {
    Condition condition = truth(false);
    for (const RecurrenceVariable& k : over) {
        condition = condition || compare(Relation::lt, step_variable(k), k.min) ||
                    compare(Relation::ge, step_variable(k), k.min + k.extent);
    }
    return condition;
}

Tensor stage_tensor(const Function& f, std::size_t s) {
    const UpdateDefinition& update = f.updates[s - 1];
    Tensor tensor{stage_name(f.name, s), f.types, f.variables, {}};
    for (const RecurrenceVariable& k : update.over) { tensor.variables.push_back(k.name); }
    const std::vector<Index> x = as_indices(f.variables);
    const Condition inside = recurrence_domain(update.over);
    const Condition hit = written(f, update);
    const Before before = before_step(f, s);

    Equation step{inside && hit, {}};
    for (const Expr& value : update.values) { step.values.push_back(read_before(value, f.name, before)); }
    tensor.equations.push_back(std::move(step));
    if (hit != truth(true)) {
        tensor.equations.push_back({inside && !hit, cell(before.tensor, concat(x, before.step), f.types.size())});
    }
    if (!update.over.empty()) {
        const Before earlier = last_of_stage(f, s - 1);
        tensor.equations.push_back(
            {outside(update.over), cell(earlier.tensor, concat(x, earlier.step), f.types.size())});
    }
    return tensor;
}

Error not_image(const std::string& tensor, const std::string& why) {
    return {fmt::format("\"{}\" is not the image of a function of an algorithm: {}", tensor, why), {}, {}};
}

std::string incomplete(const std::string& tensor, const std::string& missing) {
    return fmt::format("the stages of \"{}\" are incomplete; expected tensor \"{}\"", tensor, missing);
}

// The update's values as written: accesses to the value before the step become accesses to the function.
Result<Expr> as_written(const Expr& expr, const std::string& function, const Before& before) {
    bool fits = true;
    Expr written = map_accesses(expr, [&](const Access& access) {
        if (access.tensor != before.tensor) { return access; }
        if (access.indices.size() < before.step.size()) {
            fits = false;
            return access;
        }
        Access own{function, access.indices, access.component};
        own.indices.resize(access.indices.size() - before.step.size());
        return own;
    });
    if (!fits) { return fail(not_image(before.tensor, "an access has too few indices")); }
    return written;
}

}  // namespace

bool is_pure_position(const Function& function, const UpdateDefinition& update, std::size_t position) {
    ENSURE(position < function.variables.size() && update.target.size() == function.variables.size(),
           "an update has one target index for each dimension of " + function.name);
    const auto* v = std::get_if<IndexVariable>(&update.target[position].node);
    return v != nullptr && v->name == function.variables[position];
}

Condition recurrence_domain(const Over& over) {
    Condition condition = truth(true);
    for (const RecurrenceVariable& k : over) {
        condition = condition && (compare(Relation::le, k.min, step_variable(k)) &&
                                  compare(Relation::lt, step_variable(k), k.min + k.extent));
    }
    return condition;
}

std::vector<Index> previous_step(const Over& over) {
    std::vector<Index> previous;
    Condition carry = truth(true);  // all faster variables are at their minimum: this one steps
    for (std::size_t i = 0; i < over.size(); ++i) {
        const RecurrenceVariable& k = over[i];
        const Index here = step_variable(k);
        const Condition at_minimum = compare(Relation::le, here, k.min);
        const Index stepped = here - constant(1);
        // The slowest variable never wraps: from the first point it leaves the domain.
        const bool slowest = i + 1 == over.size();
        previous.push_back(select(carry, slowest ? stepped : select(at_minimum, maximum(k), stepped), here));
        carry = carry && at_minimum;
    }
    return previous;
}

std::vector<Index> last_step(const Over& over) {
    std::vector<Index> last;
    for (const RecurrenceVariable& k : over) { last.push_back(maximum(k)); }
    return last;
}

StagedFunction stage(const Function& f) {
    if (f.updates.empty()) { return {{Tensor{f.name, f.types, f.variables, {{truth(true), f.values}}}}, std::nullopt}; }
    StagedFunction staged;
    staged.staging = Staging{f.name, {}};
    staged.tensors.push_back({stage_name(f.name, 0), f.types, f.variables, {{truth(true), f.values}}});
    for (std::size_t s = 1; s <= f.updates.size(); ++s) {
        const UpdateDefinition& update = f.updates[s - 1];
        ENSURE(update.target.size() == f.variables.size(), fmt::format("update {} of {} has another rank", s, f.name));
        staged.tensors.push_back(stage_tensor(f, s));
        staged.staging->updates.push_back({update.over, update.target, update.where});
    }
    const Before last = last_of_stage(f, f.updates.size());
    staged.tensors.push_back(
        {f.name,
         f.types,
         f.variables,
         {{truth(true), cell(last.tensor, concat(as_indices(f.variables), last.step), f.types.size())}}});
    return staged;
}

Result<Function> unstage(std::span<const Tensor> tensors, const Staging& staging) {
    ENSURE(tensors.size() == staging.updates.size() + 2, "a staged function of n updates has n + 2 tensors");
    const Tensor& pure = tensors.front();
    if (pure.equations.size() != 1) { return fail(not_image(pure.name, "a pure definition is one equation")); }
    Function f{staging.tensor, pure.types, pure.variables, pure.equations.front().values, {}};
    for (const StagedUpdate& update : staging.updates) {
        if (update.target.size() != f.variables.size()) {
            return fail(not_image(f.name, fmt::format("an update's target has {} indices; expected {}",
                                                      update.target.size(), f.variables.size())));
        }
        f.updates.push_back({update.over, update.target, {}, update.where});
    }
    for (std::size_t s = 1; s <= f.updates.size(); ++s) {
        const Tensor& tensor = tensors[s];
        if (tensor.equations.empty()) { return fail(not_image(tensor.name, "it has no equation")); }
        const Before before = before_step(f, s);
        for (const Expr& value : tensor.equations.front().values) {
            auto written = as_written(value, f.name, before);
            if (!written) { return fail(written.error()); }
            f.updates[s - 1].values.push_back(std::move(*written));
        }
    }
    // Unstaging is checked by staging again: this must give the same tensors.
    const StagedFunction again = stage(f);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i] == again.tensors[i]) { continue; }
        return fail(
            not_image(tensors[i].name, fmt::format("its equations do not match the staging of \"{}\"", f.name)));
    }
    return f;
}

Result<std::vector<Group>> groups(const Sare& sare) {
    std::vector<Group> found;
    std::size_t next = 0;  // of the next staging record
    for (std::size_t i = 0; i < sare.tensors.size();) {
        const bool starts =
            next < sare.stagings.size() && sare.tensors[i].name == stage_name(sare.stagings[next].tensor, 0);
        if (!starts) {
            found.push_back({i, 1, nullptr});
            ++i;
            continue;
        }
        const Staging& staging = sare.stagings[next++];
        const std::size_t count = staging.updates.size() + 2;
        for (std::size_t s = 0; s < count; ++s) {
            const std::string expected = s + 1 == count ? staging.tensor : stage_name(staging.tensor, s);
            if (i + s >= sare.tensors.size() || sare.tensors[i + s].name != expected) {
                return fail(incomplete(staging.tensor, expected));
            }
        }
        if (staging.updates.empty()) {
            return fail(
                fmt::format("\"{}\" is recorded as staged but has no update; expected at least one", staging.tensor));
        }
        found.push_back({i, count, &staging});
        i += count;
    }
    if (next < sare.stagings.size()) {
        const std::string& name = sare.stagings[next].tensor;
        return fail(incomplete(name, stage_name(name, 0)));
    }
    return found;
}

Sare stage(const Algorithm& algorithm) {
    Sare sare{algorithm.name, algorithm.parameters, algorithm.assumptions, algorithm.inputs, {}, {}, algorithm.outputs};
    for (const Function& function : algorithm.functions) {
        StagedFunction staged = stage(function);
        std::move(staged.tensors.begin(), staged.tensors.end(), std::back_inserter(sare.tensors));
        if (staged.staging) { sare.stagings.push_back(std::move(*staged.staging)); }
    }
    return sare;
}

Result<Algorithm> unstage(const Sare& sare) {
    auto cut = groups(sare);
    if (!cut) { return fail(cut.error()); }
    Algorithm algorithm{sare.name, sare.parameters, sare.assumptions, sare.inputs, {}, sare.outputs};
    for (const Group& group : *cut) {
        if (group.staging != nullptr) {
            auto function = unstage(std::span(sare.tensors).subspan(group.first, group.count), *group.staging);
            if (!function) { return fail(function.error()); }
            algorithm.functions.push_back(std::move(*function));
            continue;
        }
        const Tensor& tensor = sare.tensors[group.first];
        if (tensor.equations.size() != 1 || tensor.equations.front().domain != truth(true)) {
            return fail(not_image(tensor.name, "a pure definition is one equation without a domain"));
        }
        algorithm.functions.push_back(
            {tensor.name, tensor.types, tensor.variables, tensor.equations.front().values, {}});
    }
    // The remaining checks are between functions: which function reads which, and from which stage.
    if (auto checked = check_structure(algorithm); !checked) { return fail(checked.error()); }
    return algorithm;
}

}  // namespace haruspex::sare
