#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "generators/sare/syntax.h"

// What of a system is computed with floats.
namespace haruspex::sare {

// Whether something in it is a float.
bool has_floats(const Sare& sare);

// A tensor and the number of one of its components.
using Component = std::pair<std::string, std::size_t>;

// The components of inputs and tensors that are floats, or computed from floats at least at some of their cells.
std::set<Component> components_of_floats(const Sare& sare);

// The components of outputs that are no floats, and at none of their cells computed from floats: no rounding can excuse
// what is wrong there.
std::set<Component> outputs_without_floats(const Sare& sare);

}  // namespace haruspex::sare
