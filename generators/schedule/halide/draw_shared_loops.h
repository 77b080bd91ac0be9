#pragma once

#include <set>
#include <string>
#include <vector>

#include "generators/schedule/halide/drawing.h"

// Draws stages that share the loops of others (compute_with).
namespace haruspex::schedule::halide {

// Two tensors of which one has updates and neither reads the other, to be computed at the root so that their stages may
// share loops; none, mostly.
std::set<std::string> draw_companions(const Drawing& d, const std::vector<std::string>& tensors);
void share_loops_of_companions(Drawing& d, const std::set<std::string>& companions);
void draw_compute_with(Drawing& d, const std::vector<std::string>& tensors);

}  // namespace haruspex::schedule::halide
