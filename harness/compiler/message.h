#pragma once

#include <string>

namespace haruspex::compiler {

// Returns a compiler's message without what varies between machines and runs. Drops directories of paths
// ("/build/x/Bounds.cpp:12" becomes "Bounds.cpp:12"), "(at file:line)" of the calling program, and white space at
// either end; addresses become "0x…", and invalid or control bytes become "?".
std::string normalise(const std::string& words);

}  // namespace haruspex::compiler
