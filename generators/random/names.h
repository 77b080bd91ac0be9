#pragma once

#include "generators/base/choice.h"
#include "generators/random/policy.h"
#include "generators/random/program_builder.h"

// Draws names for the tensors, variables and parameters of a program.
namespace haruspex::random {

// Gives every input, function, parameter and variable of a program another name: words, names that a compiler makes of
// others by a suffix, and a letter with a number, as compilers call their own variables. Variables of one name keep one
// name. Does nothing to a program with outlined reductions.
void draw_names(Choices& choices, const Policy& policy, Program& program);

}  // namespace haruspex::random
