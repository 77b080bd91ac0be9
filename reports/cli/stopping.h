#pragma once

#include <atomic>

namespace haruspex::cli {

// Becomes true when the process is asked to end, from now on: the first Ctrl-C asks politely, the second ends at once.
const std::atomic<bool>& stop_on_signals();
// From now on the first Ctrl-C ends at once, too: of what can be gone on with after any end.
void end_on_signals();

}  // namespace haruspex::cli
