#pragma once

#include <string>

#include "reports/render/halide/cpp_main.h"

// The check of a stand-alone program whose bug no run shows: it compares the statement to which the compiler lowers the
// pipeline with the wrong one.
namespace haruspex::render::halide {

// Writes code that prints the statement to which the pipeline is lowered, and returns 1 if it is `wrong_statement`.
// Names of temporaries are not compared, because they depend on what else the compiler has lowered.
void write_lowering(Run& run, const std::string& wrong_statement);

}  // namespace haruspex::render::halide
