#pragma once

#include <vector>

#include "generators/sare/algorithm.h"
#include "reports/render/halide/cpp_main.h"

// The buffers on which a stand-alone program runs its pipeline.
namespace haruspex::render::halide {

// Returns a buffer for each component of each output, of the case's sizes; declares nothing.
std::vector<OutputBuffer> output_buffers(const cases::Case& c, const sare::Algorithm& algorithm,
                                         Identifiers& identifiers);
// Declares the outputs' buffers, makes those of the inputs as large as the pipeline requires, and fills them.
void declare_buffers(Run& run);

}  // namespace haruspex::render::halide
