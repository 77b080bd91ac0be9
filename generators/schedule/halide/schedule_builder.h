#pragma once

#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/policy.h"
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/vocabulary.h"

namespace haruspex::schedule::halide {

// Draws a schedule that breaks no rule for the algorithm (admission.h). A proposed directive is kept if it is admitted;
// otherwise loop directives are drawn again a few times.
Schedule draw_schedule(Choices& choices, const Policy& policy, const sare::Algorithm& algorithm, Vocabulary vocabulary);

// Returns the schedule without the directives at the indices in `dropped`, and without those that are then not
// admitted: they break a rule that is not in `allowed`, or name something that does not exist.
Schedule without(const sare::Algorithm& algorithm, const Schedule& schedule, const std::vector<std::size_t>& dropped,
                 Vocabulary vocabulary, const Rules& allowed = {});

}  // namespace haruspex::schedule::halide
