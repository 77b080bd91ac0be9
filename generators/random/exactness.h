#pragma once

#include <map>
#include <string>

#include "generators/case/case.h"
#include "generators/random/regions.h"
#include "generators/sare/algorithm.h"

// Makes a drawn algorithm exact. In an exact algorithm no operation, at any cell that is touched for any admitted size,
// overflows a 32- or 64-bit signed integer, shifts too far, converts a float out of range or rounds a float. Integers
// and floats also keep a headroom where they are summed up, because a compiler may re-associate sums; an integer that is
// only compared, limited, selected, shifted right, divided or converted may be near an end of its type. make_exact wraps
// an operand that violates this in a limiter (a clamp or a remainder), and replaces an operator only if that does not
// help.
namespace haruspex::random {

// The least headroom (value/range.h) of an exact algorithm: partial sums may be this many times as large if the
// compiler re-associates a sum.
inline constexpr std::int64_t required_headroom = 8;

struct ExactnessContext {
    std::map<std::string, cases::InputDomain> inputs;
    Intervals parameters;
    // If true, floats need not be exact, because no compiler may re-associate them; they may be NaN or infinite.
    bool strict_float = false;
};

// Changes right-hand sides only. Types, the targets of updates and recurrence domains stay.
void make_exact(sare::Algorithm& algorithm, const ExactnessContext& context);

// Whether the algorithm is exact as it is. Also false if an update, or a reduction by another operator than min and
// max, has more than 2^20 - 1 steps.
bool is_exact(sare::Algorithm algorithm, const ExactnessContext& context);

}  // namespace haruspex::random
