#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

// Whether a program does what its specification says, by the interpreters.
namespace haruspex::transform {

// Values of the parameters that satisfy the assumptions: number 0 are the smallest ones, the others are drawn.
Sizes draw_sizes(const sare::Sare& sare, int number, Choices& choices);

struct Judged {
    std::string wrong;   // what is wrong first; empty when nothing is
    int cells = 0;       // of outputs that were compared
    int prophesied = 0;  // writes with a defined value whose prophecies were compared
};
// Runs the program at these sizes, on inputs that the seed says.
Judged judge(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes, std::uint64_t seed);

}  // namespace haruspex::transform
