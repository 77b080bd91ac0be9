#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/base/sizes.h"

// Right programs, each with its SARE, as a basis for mutations.
namespace haruspex::mutants::sched {

struct BaseProgram {
    std::string sare, sched;   // text forms; the SCHED's name identifies the program
    std::vector<Sizes> sizes;  // some with tails
};

std::vector<BaseProgram> serial_programs();    // loops, storage, guards, updates
std::vector<BaseProgram> parallel_programs();  // lanes, par loops, atomics
std::vector<BaseProgram> lowered_programs();   // all of these together, in the form of a compiler's output

}  // namespace haruspex::mutants::sched
