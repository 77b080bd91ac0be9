#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "generators/case/case.h"
#include "generators/random/policy.h"
#include "generators/random/regions.h"
#include "generators/sare/algorithm.h"

// Draws an affine algorithm (sare/algorithm.h), the sizes it may get, and the domains of its inputs.
namespace haruspex::random {

struct Program {
    sare::Algorithm algorithm;
    Intervals parameters;  // the values that each parameter may get
    std::map<std::string, cases::InputDomain> inputs;
    bool strict_float = false;
    bool compared = true;
    // The algorithm with inline reductions as functions (sare/outline.h), if its cost is that of those; else inline
    // reductions count nothing.
    std::optional<sare::Algorithm> outlined = std::nullopt;
};

// Draws a program from any choice sequence. `types` are those of a compiler (schedule/language.h); the policy has no
// weights for others. The algorithm is well-formed, and its outputs touch no cell outside their boxes. If
// Program::compared, the algorithm is exact for all values of its parameters (exactness.h).
Program draw_program(Choices& choices, const Policy& policy, std::span<const value::Type> types);

}  // namespace haruspex::random
