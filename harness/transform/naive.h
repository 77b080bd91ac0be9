#pragma once

#include <string>
#include <vector>

#include "generators/sare/algorithm.h"
#include "harness/sched/syntax.h"
#include "harness/transform/names.h"
#include "harness/transform/ranges.h"

// Algorithms as loops, without any cleverness.
namespace haruspex::transform {

// The array that holds a component of a tensor: the tensor's name where it has but one.
std::string array_name(const std::string& tensor, std::size_t components, std::size_t component);

// Allocations over the box, for each component one.
sched::Block allocations(const sare::Function& function, const std::vector<Range>& box);
// The function over the box, in arrays that have at least its cells: a nest for the pure definition and one for each
// update, in Halide's order (the function's first variable innermost, recurrence variables inside of all of them). Each
// write prophesies its stage. Loops have fresh names.
sched::Block realisation(const sare::Algorithm& algorithm, const sare::Function& function,
                         const std::vector<Range>& box, Names& names);

// Each function in its order, allocated and computed over the box that is needed of it.
sched::Program naive_program(const sare::Algorithm& algorithm, Names& names);

}  // namespace haruspex::transform
