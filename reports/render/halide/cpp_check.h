#pragma once

#include "reports/render/halide/cpp_main.h"

// The check by which a stand-alone program tells whether its bug is still there. It follows the declared buffers.
namespace haruspex::render::halide {

// Writes code that runs the pipeline, prints the expected and the actual result, and returns the exit code.
void write_check(Run& run);

}  // namespace haruspex::render::halide
