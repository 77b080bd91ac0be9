#pragma once

#include "reports/render/cpp_main.h"

// How a stand-alone program tells whether its bug lives, once its buffers are there.
namespace haruspex::render {

// Runs the pipeline, prints what was expected and what was found, and returns the exit code.
void write_check(Run& run);

}  // namespace haruspex::render
