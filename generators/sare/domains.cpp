#include "generators/sare/domains.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "generators/affine/context.h"
#include "generators/affine/sets.h"
#include "generators/sare/build.h"
#include "generators/sare/isl.h"
#include "generators/sare/print.h"
#include "generators/sare/traverse.h"

namespace haruspex::sare {

namespace {

// For one system: enough for hundreds of ordinary sets (a few thousand operations each), and little enough to end
// within a second or two.
constexpr std::uint64_t operation_budget = 2'000'000;

using Names = std::vector<std::string>;

Names concat(Names front, const Names& back) {
    front.insert(front.end(), back.begin(), back.end());
    return front;
}

// Assumptions such as W >= 8 hold if all parameters are the same power of two; isl decides the others.
bool hold_somewhere(const Condition& assumptions, const Names& parameters) {
    for (const std::int64_t size : {0, 1, 8, 64, 512, 4096}) {
        Environment environment;
        for (const std::string& name : parameters) { environment[name] = size; }
        if (try_evaluate(assumptions, environment) == true) { return true; }
    }
    return false;
}

// The comparisons in the condition's conjunction; its other parts are left out.
void conjuncts(const Condition& condition, std::vector<const Comparison*>& found) {
    if (const auto* both = std::get_if<And>(&condition.node)) {
        conjuncts(*both->a, found);
        conjuncts(*both->b, found);
    } else if (const auto* comparison = std::get_if<Comparison>(&condition.node)) {
        found.push_back(comparison);
    }
}

// Whether the comparison bounds the variable by an index that contains none of the names `open`.
struct Bounds {
    bool below = false, above = false;
};
Bounds bounds_of(const Comparison& c, const std::string& name, const std::set<std::string>& open) {
    const auto is_name = [&](const Index& index) {
        const auto* v = std::get_if<IndexVariable>(&index.node);
        return v != nullptr && v->name == name;
    };
    const auto is_closed = [&](const Index& index) {
        const auto free = free_variables(index);
        return std::none_of(free.begin(), free.end(), [&](const std::string& v) { return open.contains(v); });
    };
    const bool left = is_name(c.a) && is_closed(c.b);
    const bool right = is_name(c.b) && is_closed(c.a);
    switch (c.relation) {
        case Relation::lt:
        case Relation::le: return {right, left};
        case Relation::gt:
        case Relation::ge: return {left, right};
        case Relation::eq: return {left || right, left || right};
        case Relation::ne: return {};
    }
    raise_internal_error(__FILE__, __LINE__, "no such relation");
}

// Whether comparisons bound the variables one after the other, as in 0 <= j < N and 0 <= k <= j.
bool plainly_bounded(const Reduce& reduce) {
    std::vector<const Comparison*> comparisons;
    conjuncts(reduce.domain, comparisons);
    std::set<std::string> open(reduce.variables.begin(), reduce.variables.end());
    for (bool progress = true; progress && !open.empty();) {
        progress = false;
        for (const std::string& name : reduce.variables) {
            if (!open.contains(name)) { continue; }
            Bounds bounds;
            for (const Comparison* c : comparisons) {
                const Bounds more = bounds_of(*c, name, open);
                bounds = {bounds.below || more.below, bounds.above || more.above};
            }
            if (bounds.below && bounds.above) {
                open.erase(name);
                progress = true;
            }
        }
    }
    return open.empty();
}

class DomainChecker {
public:
    DomainChecker(const Names& parameters, const Condition& assumptions, const PartialTensors& partial)
        : parameters_(parameters), assumptions_(assumptions) {
        for (const Tensor* tensor : partial) { partial_.emplace(tensor->name, tensor); }
    }

    // { [parameters] : assumptions } has a point.
    Checked satisfiable() {
        if (hold_somewhere(assumptions_, parameters_)) { return {}; }
        return ask({Subject::Kind::assumptions}, [&]() -> Checked {
            const isl::set all = AffineSpace(ctx(), {}, parameters_).convert(assumptions_);
            if (!all.is_empty()) { return {}; }
            return fault({Subject::Kind::assumptions}, "no parameters satisfy them; expected some that do");
        });
    }

    Checked reductions_bounded(const Definition& definition) {
        for (const Expr& value : *definition.values) {
            Checked checked;
            for_each_reduction(value, [&](const Reduce& reduce, const std::vector<const Reduce*>& around) {
                if (!checked || plainly_bounded(reduce)) { return; }
                checked = ask(definition.subject, [&] { return bounded(definition, reduce, around); });
            });
            if (!checked) { return checked; }
        }
        return {};
    }

    Checked disjoint(const Tensor& tensor) {
        const Names names = concat(parameters_, tensor.variables);
        for (std::size_t j = 1; j < tensor.equations.size(); ++j) {
            for (std::size_t i = 0; i < j; ++i) {
                const Subject subject{Subject::Kind::equation, tensor.name, j};
                Checked checked = ask(subject, [&]() -> Checked {
                    const AffineSpace space(ctx(), {}, names);
                    const isl::set both = space.convert(assumptions_)
                                              .intersect(space.convert(tensor.equations[i].domain))
                                              .intersect(space.convert(tensor.equations[j].domain));
                    if (both.is_empty()) { return {}; }
                    return fault(subject, fmt::format("equations {} and {} overlap at {}; expected disjoint domains",
                                                      i + 1, j + 1, describe(names, affine::small_point(both))));
                });
                if (!checked) { return checked; }
            }
        }
        return {};
    }

    Checked reads_defined(const Definition& definition) {
        for (const Expr& value : *definition.values) {
            Checked checked;
            for_each_access(value, [&](const Access& access, const std::vector<const Reduce*>& around) {
                if (!checked || !partial_.contains(access.tensor)) { return; }
                checked = ask(definition.subject, [&] {
                    Names names = concat(parameters_, definition.variables);
                    Condition here = assumptions_ && definition.domain;
                    for (const Reduce* reduce : around) {
                        names = concat(names, reduce->variables);
                        here = here && reduce->domain;
                    }
                    return defined(definition.subject, names, here, access);
                });
            });
            if (!checked) { return checked; }
        }
        return {};
    }

    Checked output_defined(const Output& output) {
        const auto found = partial_.find(output.tensor);
        if (found == partial_.end()) { return {}; }
        const Subject subject{Subject::Kind::output, output.tensor};
        const Names& variables = found->second->variables;
        Condition here = assumptions_;
        for (std::size_t p = 0; p < output.box.size(); ++p) {
            const Index x = variable(variables[p]);
            here = here && compare(Relation::le, output.box[p].min, x) &&
                   compare(Relation::lt, x, output.box[p].min + output.box[p].extent);
        }
        return ask(subject, [&] {
            return defined(subject, concat(parameters_, variables), here, {output.tensor, as_indices(variables)});
        });
    }

private:
    isl::ctx ctx() { return context_->ctx(); }

    // Answers the question, under the budget of isl operations that all questions of a system share.
    Checked ask(const Subject& subject, const std::function<Checked()>& question) {
        if (!context_) {
            context_.emplace();
            budget_.emplace(*context_, operation_budget);
        }
        Result<Checked> answer = affine::guarded(question, &*budget_);
        if (!answer) { return fault(subject, "its domains could not be checked: " + answer.error().message); }
        return *answer;
    }

    Checked bounded(const Definition& definition, const Reduce& reduce, const std::vector<const Reduce*>& around) {
        Names outer = concat(parameters_, definition.variables);
        Condition here = assumptions_ && definition.domain && reduce.domain;
        for (const Reduce* r : around) {
            outer = concat(outer, r->variables);
            here = here && r->domain;
        }
        // The outer variables as parameters: bounded for each value of them.
        if (affine::is_bounded(AffineSpace(ctx(), outer, reduce.variables).convert(here))) { return {}; }
        return fault(definition.subject,
                     fmt::format("the reduction over {{ [{}] : {} }} is unbounded; expected finitely many points",
                                 joined(reduce.variables), print(reduce.domain)));
    }

    // Checks here => the accessed cell is in the domain of one of the tensor's equations.
    Checked defined(const Subject& subject, const Names& names, const Condition& here, const Access& access) {
        const Tensor& tensor = *partial_.at(access.tensor);
        const AffineSpace cells(ctx(), {}, concat(parameters_, tensor.variables));
        isl::set domain = isl::set::empty(cells.space());  // { [parameters, cell] }
        for (const Equation& equation : tensor.equations) { domain = domain.unite(cells.convert(equation.domain)); }
        const AffineSpace space(ctx(), {}, names);
        std::vector<Index> target = as_indices(parameters_);
        target.insert(target.end(), access.indices.begin(), access.indices.end());
        // { [names] : here and not in the domain }
        const isl::set missing = space.convert(here).subtract(domain.preimage(space.convert(target)));
        if (missing.is_empty()) { return {}; }
        const auto witness = affine::small_point(missing);
        return fault(subject,
                     fmt::format("{} is read at {} but not defined; expected a cell in the domain of an equation",
                                 cell(access, names, witness), describe(names, witness)));
    }

    // The access at the point: "a(3, -1)".
    static std::string cell(const Access& access, const Names& names, const std::optional<affine::Point>& point) {
        if (!point) { return access.tensor; }
        Environment environment;
        for (std::size_t i = 0; i < names.size(); ++i) { environment[names[i]] = (*point)[i]; }
        std::string indices;
        for (const Index& index : access.indices) {
            const auto value = try_evaluate(index, environment);
            indices += (indices.empty() ? "" : ", ") + (value ? std::to_string(*value) : "?");
        }
        return access.tensor + "(" + indices + ")";
    }

    static std::string joined(const Names& names) { return fmt::format("{}", fmt::join(names, ", ")); }

    // The point with the names of its coordinates: "W = 8, x = 0".
    static std::string describe(const Names& names, const std::optional<affine::Point>& point) {
        if (!point) { return "a point beyond 64 bits"; }
        std::string text;
        for (std::size_t i = 0; i < names.size(); ++i) {
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", names[i], (*point)[i]);
        }
        return text.empty() ? "its only point" : text;
    }

    const Names& parameters_;
    const Condition& assumptions_;
    std::map<std::string, const Tensor*> partial_;
    std::optional<affine::Context> context_;
    std::optional<affine::Budget> budget_;
};

}  // namespace

Checked check_domains(const std::vector<std::string>& parameters, const Condition& assumptions,
                      const std::vector<Definition>& definitions, const PartialTensors& partial,
                      const std::vector<Output>& outputs) {
    DomainChecker checker(parameters, assumptions, partial);
    if (Checked c = checker.satisfiable(); !c) { return c; }
    for (const Definition& definition : definitions) {
        if (Checked c = checker.reductions_bounded(definition); !c) { return c; }
    }
    if (partial.empty()) { return {}; }
    for (const Tensor* tensor : partial) {
        if (Checked c = checker.disjoint(*tensor); !c) { return c; }
    }
    for (const Definition& definition : definitions) {
        if (Checked c = checker.reads_defined(definition); !c) { return c; }
    }
    for (const Output& output : outputs) {
        if (Checked c = checker.output_defined(output); !c) { return c; }
    }
    return {};
}

}  // namespace haruspex::sare
