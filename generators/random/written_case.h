#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "generators/schedule/language.h"

// A case for a program and a schedule that a person wrote: the remaining parts of the case are chosen here.
namespace haruspex::random {

struct Written {
    sare::Sare sare;
    schedule::Schedule schedule;
    Sizes sizes;  // one for each parameter, within the assumptions
    std::uint64_t input_seed = 0;
    bool strict_float = false;
    std::string target;
};

// Chooses the widest of a few domains, the same for all inputs of a type, in which the program is exact at these sizes
// (exactness.h). If there is none, its integers are kept clear of overflow if possible. The case is not compared if
// floats are rounded and not strict, or if they are strict and the schedule reorders them. Does not check whether the
// compiler accepts the schedule.
cases::Case case_of(Written written, const schedule::Language& language);

}  // namespace haruspex::random
