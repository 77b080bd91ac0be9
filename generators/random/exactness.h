#pragma once

#include <map>
#include <string>

#include "generators/case/case.h"
#include "generators/random/regions.h"
#include "generators/sare/algorithm.h"

// Makes a drawn algorithm exact: after `make_exact` no operation, at any cell that is touched for any admitted size,
// overflows a 32- or 64-bit signed integer, shifts too far, converts a float out of range or rounds a float. Integers
// and floats also keep a headroom for re-association by a compiler. Operands that violate this are wrapped in a limiter
// (a clamp or a remainder); only if that does not help is an operator replaced.
namespace haruspex::random {

// The factor by which a value may exceed its range while sums are re-associated.
inline constexpr std::int64_t required_headroom = 8;

struct ExactnessContext {
    std::map<std::string, cases::InputDomain> inputs;
    Intervals parameters;
    // Floats need not be exact, because no compiler may re-associate them; they may be NaN or infinite.
    bool strict_float = false;
};

// Changes right-hand sides only; types, accesses' targets and recurrence domains stay.
void make_exact(sare::Algorithm& algorithm, const ExactnessContext& context);

// Whether the algorithm is exact as it is. Also false if an accumulation has more than 2^20 - 1 steps.
bool is_exact(sare::Algorithm algorithm, const ExactnessContext& context);

}  // namespace haruspex::random
