#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "generators/sare/syntax.h"

// The parts of a system that are computed with floats.
namespace haruspex::sare {

// Whether some input or tensor is a float or computed from floats.
bool has_floats(const Sare& sare);

// A tensor and the number of one of its components.
using Component = std::pair<std::string, std::size_t>;

// The components of inputs and tensors that are floats or, at some of their cells at least, computed from floats.
std::set<Component> components_of_floats(const Sare& sare);

// The components of outputs that are not floats and at no cell computed from floats: rounding cannot excuse a wrong
// value there.
std::set<Component> outputs_without_floats(const Sare& sare);

}  // namespace haruspex::sare
