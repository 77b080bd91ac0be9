#pragma once

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

// Checks that a program's parameters and arrays fit a specification.
namespace haruspex::validator {

// Returns an Error if the parameters without a size differ, if an array is for a tensor or component that does not
// exist or has another type or rank, if an input is for a tensor that is not an input, or if a component has a second
// output.
[[nodiscard]] Result<void> check_interface(const sare::Sare& sare, const sched::Program& program,
                                           const Sizes& sizes = {});

// Whether the array has a dimension for each of the tensor's `rank` dimensions; for a scalar it may have one.
bool has_rank(const sched::Array& array, std::size_t rank);

}  // namespace haruspex::validator
