#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "generators/schedule/language.h"

// Chooses the remaining parts of a case whose program and schedule a person wrote.
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
// (exactness.h). If there is no such domain, chooses the widest in which at least the program's integers are exact; if
// there is none either, or the SARE is not a staged algorithm, the narrowest. The case of a staged algorithm is marked
// as not to be compared if its results may be rounded. With strict floats that is so if the schedule may reorder
// operations on them; otherwise, if the program has floats and no domain makes it exact. Does not check whether the
// compiler accepts the schedule.
cases::Case case_of(Written written, const schedule::Language& language);

}  // namespace haruspex::random
