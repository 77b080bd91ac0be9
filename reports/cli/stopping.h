#pragma once

#include <atomic>

namespace haruspex::cli {

// Handles Ctrl-C from now on. The flag becomes true at the first one; the second ends the process at once.
const std::atomic<bool>& stop_on_signals();
// From now on the first Ctrl-C ends the process, too: for work that can be resumed after any interruption.
void end_on_signals();

}  // namespace haruspex::cli
