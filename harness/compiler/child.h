#pragma once

#include "harness/compiler/compiler.h"

// The child's side of the fork server.
namespace haruspex::compiler {

// Takes the freshly forked process over: sets limits, restores signals (but is deaf to SIGINT,
// SIGTERM and SIGHUP, which are its parent's to hear), sends what is printed to `output_fd`, runs the
// case, reports through frames on `result_fd`, and ends without running the parent's exit handlers.
[[noreturn]] void run_child(Compiler& compiler, const cases::Case& c, const Request& request, const Limits& limits,
                            int result_fd, int output_fd);

}  // namespace haruspex::compiler
