#pragma once

#include <atomic>

namespace haruspex::cli {

// Makes Ctrl-C (also SIGTERM, and SIGHUP unless it is ignored) set the flag that is returned. A second signal of the
// same kind ends the process at once.
const std::atomic<bool>& stop_on_signals();
// To be called after stop_on_signals(): from here on the first signal ends the process at once. For work that can be
// resumed after any interruption.
void end_on_signals();

}  // namespace haruspex::cli
