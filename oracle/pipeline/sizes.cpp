#include "oracle/pipeline/sizes.h"

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "harness/sched/traverse.h"
#include "harness/sched/unhiding.h"
#include "harness/transform/indices.h"

namespace haruspex::pipeline {

sare::Sare at_sizes(const sare::Sare& sare, const Sizes& sizes) {
    ENSURE(sare::evaluate(sare.assumptions, sizes), "the sizes meet the assumptions");
    sare::Substitution numbers;
    for (const auto& [name, size] : sizes) { numbers.insert_or_assign(name, sare::constant(size)); }
    const auto replace = [&](auto& part) { part = sare::substitute(part, numbers); };
    sare::Sare result = sare;
    result.parameters.clear();
    result.assumptions = sare::truth(true);
    for (sare::Tensor& tensor : result.tensors) {
        for (sare::Equation& equation : tensor.equations) {
            replace(equation.domain);
            for (sare::Expr& value : equation.values) { replace(value); }
        }
    }
    for (sare::Staging& staging : result.stagings) {
        for (sare::StagedUpdate& update : staging.updates) {
            for (sare::RecurrenceVariable& variable : update.over) {
                replace(variable.min);
                replace(variable.extent);
            }
            for (sare::Index& index : update.target) { replace(index); }
            replace(update.where);
        }
    }
    for (sare::Output& output : result.outputs) {
        for (sare::Span& span : output.box) {
            replace(span.min);
            replace(span.extent);
        }
    }
    return result;
}

sched::Program at_sizes(const sched::Program& program, const Sizes& sizes) {
    sched::Substitution numbers;
    for (const auto& [name, size] : sizes) { numbers.insert_or_assign(name, sched::Expr{sched::Integer{size}}); }
    const auto replace = [&](sched::Expr& part) { part = sched::substitute(std::move(part), numbers); };
    // A parameter may have the same name as one of the compiler's lets.
    sched::Program result = sched::without_hiding(program);
    std::erase_if(result.parameters, [&](const std::string& name) { return sizes.contains(name); });
    for (sched::Array& array : result.arrays) {
        for (sched::Dimension& dimension : array.dimensions) {
            replace(dimension.extent);
            replace(dimension.min);
            if (dimension.stride) { replace(*dimension.stride); }
        }
    }
    transform::substitute(result.body, numbers);
    return result;
}

}  // namespace haruspex::pipeline
