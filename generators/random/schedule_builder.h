#pragma once

#include "generators/base/choice.h"
#include "generators/random/policy.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/directive.h"
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/vocabulary.h"

namespace haruspex::random {

// A schedule that the algorithm admits. Every directive is proposed, kept when schedule/halide admits it, and drawn
// again a few times when not.
schedule::Schedule draw_schedule(Choices& choices, const Policy& policy, const sare::Algorithm& algorithm,
                                 schedule::halide::Vocabulary vocabulary);

// The directives that are still admitted when those at the indices in `dropped` are left out, in their order. They may
// break the rules that are `allowed`; what names nothing that exists goes with the rest.
schedule::Schedule without(const sare::Algorithm& algorithm, const schedule::Schedule& schedule,
                           const std::vector<std::size_t>& dropped, schedule::halide::Vocabulary vocabulary,
                           const schedule::halide::Rules& allowed = {});

}  // namespace haruspex::random
