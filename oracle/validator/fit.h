#pragma once

#include "generators/base/result.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

// Whether a program speaks of a specification at all.
namespace haruspex::validator {

// An Error when not: other parameters, an array for a tensor that is no input or no output, or of another type or rank.
[[nodiscard]] Result<void> fits(const sare::Sare& sare, const sched::Program& program);

}  // namespace haruspex::validator
