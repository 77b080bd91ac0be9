#pragma once

#include "generators/sare/syntax.h"

// What of a system is computed with floats.
namespace haruspex::sare {

// Whether something in it is a float.
bool has_floats(const Sare& sare);

// Whether each component of each output is a float, or computed from floats at least at some of its cells. Otherwise
// there is one that no rounding can excuse.
bool are_outputs_of_floats(const Sare& sare);

}  // namespace haruspex::sare
