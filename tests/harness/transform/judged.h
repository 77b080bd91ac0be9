#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

// Whether a program meets its specification, judged by the interpreters.
namespace haruspex::transform {

// Draws parameter values that satisfy the assumptions; number 0 gives the smallest ones.
Sizes draw_sizes(const sare::Sare& sare, int number, Choices& choices);

struct Judged {
    std::string wrong;   // the first error; empty if there is none
    int cells = 0;       // output cells that were compared
    int prophesied = 0;  // writes with a defined value whose prophecies were compared
};
// Runs the program at these sizes, on inputs drawn from the seed. Prophecies that name a step of a reduction in any
// order are not those of the values that are written; they are not compared.
enum class Prophecies : std::uint8_t { of_values, of_steps };
Judged judge(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes, std::uint64_t seed,
             Prophecies prophecies = Prophecies::of_values);

}  // namespace haruspex::transform
