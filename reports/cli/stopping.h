#pragma once

#include <atomic>

namespace haruspex::cli {

// Makes Ctrl-C (also SIGTERM, and SIGHUP unless it is ignored) set the flag that is returned. A second signal of the
// same kind ends the process at once.
const std::atomic<bool>& stop_on_signals();
// After stop_on_signals(): lets already the first signal end the process. For work that can be resumed after any
// interruption.
void end_on_signals();

}  // namespace haruspex::cli
