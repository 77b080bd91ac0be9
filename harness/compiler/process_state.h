#pragma once

#include <sys/types.h>

namespace haruspex::compiler {

// Whether a thread of the process runs, or waits for a CPU or a disk. False if all threads wait for other events, or if
// the process has ended.
bool wants_to_run(pid_t pid);

}  // namespace haruspex::compiler
