#pragma once

#include "generators/base/result.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/validator/scope.h"

// Whether a program speaks of a specification at all.
namespace haruspex::validator {

// An Error when not: other parameters (of those without a size), an array for a tensor that is no input or no output,
// or of another type or rank, or a second output for one component.
[[nodiscard]] Result<void> check_interface(const sare::Sare& sare, const sched::Program& program,
                                           const Sizes& sizes = {});

// Whether the array has a dimension for each of a tensor's; linear memory has one even for a scalar.
bool has_rank(const sched::Array& array, std::size_t rank);

}  // namespace haruspex::validator
