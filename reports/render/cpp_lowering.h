#pragma once

#include <string>

#include "reports/render/cpp_main.h"

// How a stand-alone program tells that its bug lives when no run shows it: by the statement that the compiler lowers
// the pipeline to.
namespace haruspex::render {

// Prints that statement, and returns 1 when it is the wrong one, but for the names of temporaries: these depend on what
// else was lowered.
void write_lowering(Run& run, const std::string& wrong_statement);

}  // namespace haruspex::render
