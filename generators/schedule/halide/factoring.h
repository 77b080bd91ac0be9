#pragma once

#include <vector>

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/factoring.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/vocabulary.h"

// Algorithms after rfactor. A recurrence variable that stems from a split or fuse is named after its path: k_ko for the
// loop ko of a split of k.
namespace haruspex::schedule::halide {

// Returns the factorings of a schedule's rfactor directives, in their order. An Error if the schedule names something
// that does not exist or breaks a condition of rfactor (Rule::factored_update); the factored algorithm then does not
// exist.
[[nodiscard]] Result<std::vector<Factoring>> factorings(const sare::Algorithm& algorithm, const Schedule& schedule,
                                                        Vocabulary vocabulary);

}  // namespace haruspex::schedule::halide
