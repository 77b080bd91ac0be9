#pragma once

#include "generators/base/choice.h"
#include "generators/random/policy.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/directive.h"
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/vocabulary.h"

namespace haruspex::random {

// Draws a schedule that the algorithm admits. Each proposed directive is kept if schedule/halide admits it, and drawn
// again a few times otherwise.
schedule::Schedule draw_schedule(Choices& choices, const Policy& policy, const sare::Algorithm& algorithm,
                                 schedule::halide::Vocabulary vocabulary);

// The directives that are still admitted, in their order, without those at the indices in `dropped`. They may break the
// rules in `allowed`; directives that name something that no longer exists are dropped too.
schedule::Schedule without(const sare::Algorithm& algorithm, const schedule::Schedule& schedule,
                           const std::vector<std::size_t>& dropped, schedule::halide::Vocabulary vocabulary,
                           const schedule::halide::Rules& allowed = {});

}  // namespace haruspex::random
