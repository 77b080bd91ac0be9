#pragma once

#include "reports/render/cpp_main.h"

// The check by which a stand-alone program tells whether its bug lives; the buffers are declared before it.
namespace haruspex::render {

// Writes code that runs the pipeline, prints the expected and the actual result, and returns the exit code.
void write_check(Run& run);

}  // namespace haruspex::render
