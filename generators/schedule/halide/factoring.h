#pragma once

#include <vector>

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/factoring.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/vocabulary.h"

// Algorithms after rfactor: the loops of a split that it names are variables named after both, k_ko.
namespace haruspex::schedule::halide {

// The factorings of a schedule's rfactor directives, in their order. An Error if the schedule names something that does
// not exist or breaks a condition of rfactor (Rule::factored_update); the factored algorithm does not exist then.
[[nodiscard]] Result<std::vector<Factoring>> factorings(const sare::Algorithm& algorithm, const Schedule& schedule,
                                                        Vocabulary vocabulary);

}  // namespace haruspex::schedule::halide
