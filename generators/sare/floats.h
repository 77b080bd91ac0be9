#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "generators/sare/syntax.h"

// Finds the parts of a SARE that are computed from floats.
namespace haruspex::sare {

// Whether components_of_floats is not empty.
bool has_floats(const Sare& sare);

// A tensor and the number of one of its components.
using Component = std::pair<std::string, std::size_t>;

// Returns the components of inputs and tensors that are floats, and those with cells that may be computed from floats.
std::set<Component> components_of_floats(const Sare& sare);

// Returns the components of outputs that components_of_floats leaves out: rounding cannot excuse a wrong value in them.
std::set<Component> outputs_without_floats(const Sare& sare);

}  // namespace haruspex::sare
