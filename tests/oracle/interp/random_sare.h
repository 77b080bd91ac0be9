#pragma once

#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/algorithm.h"

// Small random programs with every kind of node, for comparison with the naive evaluator.
namespace haruspex::interp::test {

sare::Index random_index(Choices& choices, const std::vector<std::string>& names, int depth);
sare::Condition random_condition(Choices& choices, const std::vector<std::string>& names, int depth);

// Functions of rank 0 to 2 with up to two updates, over up to three recurrence variables, with filters and
// self-references.
sare::Algorithm random_algorithm(Choices& choices);

// Tensors on the quadrant x, y >= 0 with up to three equations each, which recur through each other towards the origin.
sare::Sare random_recurrences(Choices& choices);

}  // namespace haruspex::interp::test
