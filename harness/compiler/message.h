#pragma once

#include <string>

namespace haruspex::compiler {

// What a compiler said, without what varies from machine to machine and run to run: directories of paths are dropped
// ("/build/x/Bounds.cpp:12" becomes "Bounds.cpp:12"), addresses become "0x…", "(at file:line)" of the calling program
// and white space at either end go, and invalid or control bytes become "?".
std::string normalise(const std::string& words);

}  // namespace haruspex::compiler
