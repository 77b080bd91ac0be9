#include "generators/schedule/halide/factoring.h"

#include <algorithm>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/schedule/halide/state.h"

namespace haruspex::schedule::halide {

Result<std::vector<Factoring>> factorings(const sare::Algorithm& algorithm, const Schedule& schedule,
                                          Vocabulary vocabulary) {
    ScheduleState state = initial_state(algorithm, vocabulary);
    for (const Directive& directive : schedule.directives) {
        if (auto done = apply_directive(state, directive); !done) { return fail(std::move(done.error())); }
    }
    if (!state.is_followed) { return fail(state.broken.back().words); }
    return std::move(state.factorings);
}

sare::Algorithm factored(sare::Algorithm algorithm, const std::vector<Factoring>& factorings) {
    for (const Factoring& factoring : factorings) {
        const auto function = std::ranges::find(algorithm.functions, factoring.before);
        ENSURE(function != algorithm.functions.end(), "an update is factored in the function that has it");
        *function = factoring.merged;
        algorithm.functions.insert(function, factoring.intermediate);
    }
    return algorithm;
}

}  // namespace haruspex::schedule::halide
