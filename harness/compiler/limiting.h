#pragma once

#include "harness/compiler/compiler.h"

namespace haruspex::compiler {

// Limits this process, and the processes that it starts from here on: CPU time (SIGXCPU), address space beyond its
// present size (std::bad_alloc), no core files. Lower existing limits stay. The parent enforces wall-clock time.
void limit_this_process(const Limits& limits);

}  // namespace haruspex::compiler
