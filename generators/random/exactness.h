#pragma once

#include <map>
#include <string>

#include "generators/case/case.h"
#include "generators/random/regions.h"
#include "generators/sare/algorithm.h"

// Makes a drawn algorithm exact: after `make_exact` no operation, at any cell that is touched for any admitted size,
// overflows a 32- or 64-bit signed integer, shifts too far, converts a float out of range or rounds a float, and
// integers and floats keep a headroom for what a compiler may re-associate. Where the drawn program does not have that
// property an operand is wrapped in a limiter (a clamp or a remainder); only where that does not help an operator is
// replaced.
namespace haruspex::random {

// How much larger than its range a value may become while sums are re-associated.
inline constexpr std::int64_t required_headroom = 8;

struct ExactnessContext {
    std::map<std::string, cases::InputDomain> inputs;
    Intervals parameters;
    // Floats need not be exact, because no compiler may re-associate them; they may be NaN or infinite.
    bool strict_float = false;
};

// Changes right-hand sides only; types, accesses' targets and recurrence domains stay.
void make_exact(sare::Algorithm& algorithm, const ExactnessContext& context);

// Whether the algorithm has that property as it is. False also when something accumulates in a million steps or more.
bool is_exact(sare::Algorithm algorithm, const ExactnessContext& context);

}  // namespace haruspex::random
