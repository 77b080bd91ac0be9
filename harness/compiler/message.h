#pragma once

#include <string>

namespace haruspex::compiler {

// Returns a compiler's message without the parts that vary between machines and runs. Drops the directories of paths
// ("/build/x/Bounds.cpp:12" becomes "Bounds.cpp:12"), "(at file:line)" with a place in the calling program, and white
// space at either end. Addresses become "0x…". Control bytes and bytes that are not ASCII become "?". Drops all but the
// first 4,000 bytes.
std::string normalise(const std::string& words);

}  // namespace haruspex::compiler
