#pragma once

#include "harness/compiler/compiler.h"

namespace haruspex::compiler {

// Limits this process, and those that it starts, from here on: CPU time (SIGXCPU), address space beyond what it has
// now (std::bad_alloc), no core files. Limits that are lower already stay. The time on the clock is its parent's
// matter.
void limit_this_process(const Limits& limits);

}  // namespace haruspex::compiler
