#pragma once

#include "harness/compiler/compiler.h"

// The child's side of the fork server.
namespace haruspex::compiler {

// Takes over the freshly forked process: sets limits, gives signals their default actions (but ignores SIGINT, SIGTERM
// and SIGHUP, which the parent handles), redirects printed output to `output_fd`, runs the case, reports through frames
// on `result_fd`, and ends without running the parent's exit handlers.
[[noreturn]] void run_child(Compiler& compiler, const cases::Case& c, const Request& request, const Limits& limits,
                            int result_fd, int output_fd);

}  // namespace haruspex::compiler
