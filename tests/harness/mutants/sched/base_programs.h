#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/base/sizes.h"

// Programs that are right, each with the SARE that says so, for mutations to make wrong.
namespace haruspex::mutants::sched {

struct BaseProgram {
    std::string sare, sched;   // text forms; the SCHED's name tells them apart
    std::vector<Sizes> sizes;  // tails among them
};

std::vector<BaseProgram> serial_programs();    // loops, storage, guards, updates
std::vector<BaseProgram> parallel_programs();  // lanes, par loops, atomics
std::vector<BaseProgram> lowered_programs();   // all of these together, as a compiler leaves them

}  // namespace haruspex::mutants::sched
