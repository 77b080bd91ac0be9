#pragma once

#include "harness/compiler/compiler.h"

namespace haruspex::compiler {

// Limits this process, and the processes that it starts from here on: CPU time (SIGXCPU), and address space beyond its
// present size (std::bad_alloc). Turns core files off. Hard limits that are lower already stay in force. The parent
// enforces wall-clock time.
void limit_this_process(const Limits& limits);

}  // namespace haruspex::compiler
