#pragma once

#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/policy.h"
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/vocabulary.h"

namespace haruspex::schedule::halide {

// Draws a schedule that the algorithm admits. Each proposed directive is kept if admission.h admits it, and drawn again
// a few times otherwise.
Schedule draw_schedule(Choices& choices, const Policy& policy, const sare::Algorithm& algorithm, Vocabulary vocabulary);

// The directives that are still admitted, in their order, without those at the indices in `dropped`. They may break the
// rules in `allowed`; directives that name something that no longer exists are dropped too.
Schedule without(const sare::Algorithm& algorithm, const Schedule& schedule, const std::vector<std::size_t>& dropped,
                 Vocabulary vocabulary, const Rules& allowed = {});

}  // namespace haruspex::schedule::halide
