#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

// Systems and programs with numbers in place of parameters. What is a product of two sizes, or is divided by one, is
// affine then.
namespace haruspex::pipeline {

// Without parameters: each has a size, and the sizes meet the assumptions (ENSURE).
sare::Sare at_sizes(const sare::Sare& sare, const Sizes& sizes);
// Without the parameters that have a size; those of buffers stay.
sched::Program at_sizes(const sched::Program& program, const Sizes& sizes);

}  // namespace haruspex::pipeline
