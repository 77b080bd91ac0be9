#pragma once

#include "generators/schedule/halide/drawing.h"

// Draws what a schedule does to the loops of one stage.
namespace haruspex::schedule::halide {

void draw_stage(Drawing& d, const StageRef& stage);
// Factors some updates of the function. What comes of it are tensors that are then scheduled like any other.
void draw_rfactors(Drawing& d, const sare::Function& function);

}  // namespace haruspex::schedule::halide
