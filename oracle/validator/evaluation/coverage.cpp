#include "oracle/validator/evaluation/coverage.h"

#include <algorithm>

#include "generators/affine/parameters.h"
#include "oracle/validator/evaluation/interface_check.h"

namespace haruspex::validator {
namespace {

// The cell [#0, …] of an output, in the environments in which it is requested.
struct Requested {
    std::vector<isl::pw_aff> cell;
    isl::set environments;
};

Requested requested(const sare::Output& output, const Specification& specification, const isl::set& context) {
    Requested result{{}, context};
    for (std::size_t d = 0; d < output.box.size(); ++d) {
        const isl::pw_aff i = affine::parameter(context.ctx(), "#" + std::to_string(d));
        const isl::pw_aff min = specification.parameters().convert(output.box[d].min);
        result.environments =
            result.environments.intersect(min.le_set(i))
                .intersect(i.lt_set(min.add(specification.parameters().convert(output.box[d].extent))));
        result.cell.push_back(i);
    }
    return result;
}

}  // namespace

std::vector<Obligation> coverage(const sched::Program& program, const Specification& specification,
                                 const Evaluation& evaluation, const heap::Memory& final_memory,
                                 heap::Templates& templates) {
    std::vector<Obligation> obligations;
    const Scope& scope = evaluation.scope();
    for (const sare::Output& output : specification.sare().outputs) {
        const Requested cells = requested(output, specification, scope.context());
        const TensorSignature& signature = specification.signatures().at(output.tensor);
        for (std::size_t k = 0; k < signature.types.size(); ++k) {
            const int component = static_cast<int>(k);
            const std::string name = "output " + output.tensor + (k == 0 ? "" : "[" + std::to_string(k) + "]");
            const auto array = std::ranges::find_if(program.arrays, [&](const sched::Array& a) {
                return a.role == sched::Role::output && a.tensor == output.tensor && a.component == component;
            });
            if (array == program.arrays.end() || array->type != signature.types[k] ||
                !has_rank(*array, signature.rank)) {
                obligations.push_back({Kind::coverage, name, "there is an array for it", cells.environments, {}});
                continue;
            }
            const ArrayInScope& here = scope.array(array->name);
            const heap::Location location = evaluation.location(*array, cells.cell);
            const Deferred<isl::set> outside([location, cells, here] {
                return cells.environments.subtract(heap::environments(location.intersect(here.cells().to_union_set())));
            });
            obligations.push_back({Kind::coverage, name, "its array has the requested cells", outside, {}});
            const heap::Template cell = templates.cell(output.tensor, component, signature.types[k], signature.rank);
            const heap::Value computed = heap::value(scope.ctx(), cell, cells.cell);
            const heap::Value uninit = heap::value(scope.ctx(), templates.uninit(signature.types[k]), {});
            const Deferred<Equation> equation([=, array = here.unique_name] {
                const heap::Memory::Held held =
                    final_memory.at(array, location, cells.environments, cells.environments,
                                    [&](const isl::set& left) { return !left.is_disjoint(cells.environments); });
                const heap::Value value = held.value.unite(uninit.intersect_params(held.missing));
                return Equation{computed, value, cells.environments};
            });
            obligations.push_back({Kind::coverage, name, "each requested cell holds its tensor's value", {}, equation});
        }
    }
    return obligations;
}

bool is_vacuous(const Specification& specification, const isl::set& context) {
    return std::ranges::all_of(specification.sare().outputs, [&](const sare::Output& output) {
        return requested(output, specification, context).environments.is_empty();
    });
}

}  // namespace haruspex::validator
