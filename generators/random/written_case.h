#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "generators/schedule/halide/vocabulary.h"

// A case of a program and a schedule that a person wrote: what a case has beyond these is chosen for it.
namespace haruspex::random {

struct Written {
    sare::Sare sare;
    schedule::Schedule schedule;
    Sizes sizes;  // one for each parameter, within the assumptions
    std::uint64_t input_seed = 0;
    bool strict_float = false;
    std::string target = cases::default_target;
};

// Chooses the widest of a few domains, the same for all inputs of a type, in which the program is exact at these sizes
// (exactness.h). Where it is exact in none, its integers are kept clear of overflow if that can be. The case is not
// compared if floats are rounded, unless they are strict; nor if they are strict and the schedule reorders them.
// Does not check whether the compiler takes the schedule.
cases::Case case_of(Written written, schedule::halide::Vocabulary vocabulary);

}  // namespace haruspex::random
