#pragma once

#include <vector>

#include "generators/sare/algorithm.h"
#include "reports/render/halide/cpp_main.h"

// The buffers on which a stand-alone program runs its pipeline.
namespace haruspex::render::halide {

// Returns a buffer for each component of each output, at the case's sizes. Writes no code.
std::vector<OutputBuffer> output_buffers(const cases::Case& c, const sare::Algorithm& algorithm,
                                         Identifiers& identifiers);
// Writes code that declares the buffers of outputs, makes those of inputs as large as the pipeline requires, and fills
// the inputs if the bug may depend on their values.
void declare_buffers(Run& run);

}  // namespace haruspex::render::halide
