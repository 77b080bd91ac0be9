#pragma once

#include <string>

#include "reports/render/halide/cpp_main.h"

// The check of a stand-alone program whose bug no run shows: it looks at the statement to which the compiler lowers the
// pipeline.
namespace haruspex::render::halide {

// Writes code that prints the statement, and returns 1 if it is the wrong one. Names of temporaries are not compared:
// they depend on what else was lowered.
void write_lowering(Run& run, const std::string& wrong_statement);

}  // namespace haruspex::render::halide
