#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Programs that are right, each with the SARE that says so, for mutations to make wrong.
namespace haruspex::mutants::sched {

struct BaseProgram {
    std::string sare, sched;                                 // text forms; the SCHED's name tells them apart
    std::vector<std::map<std::string, std::int64_t>> sizes;  // tails among them
};

std::vector<BaseProgram> serial_programs();    // loops, storage, guards, updates
std::vector<BaseProgram> parallel_programs();  // lanes, par loops, atomics
std::vector<BaseProgram> lowered_programs();   // all of these together, as a compiler leaves them

}  // namespace haruspex::mutants::sched
