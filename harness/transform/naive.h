#pragma once

#include <string>
#include <vector>

#include "generators/sare/algorithm.h"
#include "harness/sched/syntax.h"
#include "harness/transform/names.h"
#include "harness/transform/ranges.h"

// Writes algorithms as straightforward loops.
namespace haruspex::transform {

// Returns the name of the array for a component of a tensor: the tensor's own name if it has only one component.
std::string array_name(const std::string& tensor, std::size_t components, std::size_t component);

// Allocates one array over the box for each component.
sched::Block allocations(const sare::Function& function, const std::vector<Range>& box);
// Computes the function over the box, in arrays that have at least its cells: a nest for the pure definition and one
// for each update, in the algorithm's order (the function's first variable innermost, recurrence variables inside all of
// them). Each write prophesies its stage. Loops have fresh names.
sched::Block realisation(const sare::Algorithm& algorithm, const sare::Function& function,
                         const std::vector<Range>& box, Names& names);

// Allocates and computes each function, in order, over the box of its cells that are needed.
sched::Program naive_program(const sare::Algorithm& algorithm, Names& names);

}  // namespace haruspex::transform
