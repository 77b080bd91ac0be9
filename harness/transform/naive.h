#pragma once

#include <string>
#include <vector>

#include "generators/sare/algorithm.h"
#include "harness/sched/syntax.h"
#include "harness/transform/names.h"
#include "harness/transform/ranges.h"

// Writes algorithms as straightforward loops.
namespace haruspex::transform {

// Returns the name of the array for a component of a tensor: the tensor's own name if the tensor has only one
// component.
std::string array_name(const std::string& tensor, std::size_t components, std::size_t component);

// Allocates an array over the box for each component of the function.
sched::Block allocations(const sare::Function& function, const std::vector<Range>& box);
// Computes the function over the box, in arrays that have at least the cells of the box: a nest of loops for the pure
// definition, and one for each update in the algorithm's order. In a nest the function's first variable is the
// innermost of its variables, and recurrence variables are inside these. The prophecy of each write is a cell of its
// stage. Loops have fresh names.
sched::Block realisation(const sare::Algorithm& algorithm, const sare::Function& function,
                         const std::vector<Range>& box, Names& names);

// Allocates and computes each function, in order, over the box of its needed cells (boxes() in ranges.h).
sched::Program naive_program(const sare::Algorithm& algorithm, Names& names);

}  // namespace haruspex::transform
