#pragma once

#include <sys/types.h>

namespace haruspex::compiler {

// Whether a thread of the process has something to do: it runs, waits for a CPU, or for a disk. False of a process
// whose threads all wait for something to happen, and of one that has ended.
bool wants_to_run(pid_t pid);

}  // namespace haruspex::compiler
