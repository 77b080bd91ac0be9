#include "generators/schedule/halide/factoring.h"

#include <utility>

#include "generators/schedule/halide/apply.h"

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

}  // namespace haruspex::schedule::halide
