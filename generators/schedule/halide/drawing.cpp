#include "generators/schedule/halide/drawing.h"

#include <algorithm>
#include <array>
#include <utility>

namespace haruspex::schedule::halide {

bool Drawing::propose(const StageRef& stage, Action action) {
    Directive directive{stage, std::move(action)};
    Admission next = admission;
    if (!next.apply(directive) || !next.has_fitting_extents(stage.tensor)) { return false; }
    admission = std::move(next);
    schedule.directives.push_back(std::move(directive));
    return true;
}

bool Drawing::is_complete() const {
    return schedule.directives.empty() || admits(algorithm, schedule, vocabulary).has_value();
}

void Drawing::restore(const Saved& before) {
    admission = before.admission;
    schedule = before.schedule;
}

const sare::Function* Drawing::function_of(const std::string& tensor) const {
    const auto found = std::ranges::find(algorithm.functions, tensor, &sare::Function::name);
    return found == algorithm.functions.end() ? nullptr : &*found;
}

std::int64_t Drawing::draw_factor(const Weights<6>& weights) const {
    constexpr std::array<std::int64_t, 6> factors{2, 3, 4, 5, 8, 16};
    return factors[choices.weighted(weights)];
}

}  // namespace haruspex::schedule::halide
