#include "oracle/pipeline/original.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "generators/sare/build.h"
#include "harness/sched/normal_form.h"
#include "harness/sched/polynomials.h"
#include "oracle/pipeline/parameter_binding.h"

namespace haruspex::pipeline {
namespace {

std::optional<std::vector<compiler::InputRegion>> regions_at(const sched::Program& program, const Sizes& sizes) {
    sched::Atoms atoms;
    sched::NormalForms forms(atoms);
    for (const auto& [name, size] : sizes) { forms.define(name, sched::Expr{sched::Integer{size}}); }
    std::vector<compiler::InputRegion> regions;
    for (const sched::Array& array : program.arrays) {
        if (array.role != sched::Role::input) { continue; }
        compiler::InputRegion region{array.tensor, {}, {}};
        for (const sched::Dimension& dimension : array.dimensions) {
            const auto min = sched::Polynomials::as_constant(forms.of(dimension.min));
            const auto extent = sched::Polynomials::as_constant(forms.of(dimension.extent));
            if (!min || !extent) { return std::nullopt; }
            region.min.push_back(*min);
            region.extent.push_back(*extent);
        }
        regions.push_back(std::move(region));
    }
    return regions;
}

// Whether the sizes meet the assumptions and the requested boxes have numeric bounds there.
bool are_fit(const sare::Sare& specification, const Sizes& sizes) {
    return sare::try_evaluate(specification.assumptions, sizes) == true &&
           std::ranges::all_of(specification.outputs, [&](const sare::Output& output) {
               return std::ranges::all_of(output.box, [&](const sare::Span& span) {
                   return sare::try_evaluate(span.min, sizes) && sare::try_evaluate(span.extent, sizes);
               });
           });
}

}  // namespace

validator::Trial Original::replay(const sare::Sare& specification, const Sizes& sizes, const validator::Inputs& inputs,
                                  std::uint64_t most_steps) const {
    if (!are_fit(specification, sizes)) {
        return validator::untried(validator::NotReplayed::sizes, "sizes outside the context");
    }
    cases::Case here = case_;
    for (const auto& [name, size] : sizes) { here.sizes.insert_or_assign(name, size); }
    const auto regions = regions_at(converted_, here.sizes);
    if (!regions) { return validator::untried(validator::NotReplayed::indices, "inputs whose bounds leave 64 bits"); }
    const auto parameters = bind_parameters(lowered_, here, *regions);
    if (!parameters) { return validator::untried(validator::NotReplayed::parameters, parameters.error().message); }
    return validator::replay(specification, lowered_, *parameters, inputs, most_steps, !case_.strict_float,
                             validator::AtHead::refuses);
}

}  // namespace haruspex::pipeline
