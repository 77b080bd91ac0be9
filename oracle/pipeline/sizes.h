#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

// Specifications and programs with numbers in place of parameters. With numbers, products of two sizes and quotients by
// a size become affine.
namespace haruspex::pipeline {

// Replaces all parameters: each has a size, and the sizes meet the assumptions (ENSURE).
sare::Sare at_sizes(const sare::Sare& sare, const Sizes& sizes);
// Replaces the parameters that have a size; those of buffers stay.
sched::Program at_sizes(const sched::Program& program, const Sizes& sizes);

}  // namespace haruspex::pipeline
