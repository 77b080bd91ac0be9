#include "reports/cli/crashes.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <array>
#include <initializer_list>
#include <string_view>

#include "reports/cli/output.h"

namespace haruspex::cli {
namespace {

pid_t installed_by = -1;

void end(int signal) {
    if (::getpid() == installed_by) {
        for (const std::string_view words : {"haruspex: internal error: SIG", ::sigabbrev_np(signal), "\n"}) {
            // A failed write no longer matters.
            [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
        }
        ::_exit(own_fault);
    }
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

}  // namespace

void exit_on_crashes() {
#ifndef __SANITIZE_ADDRESS__  // its own report says more
    // A handler for stack overflow needs a stack of its own.
    static std::array<char, 1 << 16> stack;
    stack_t other{};
    other.ss_sp = stack.data();
    other.ss_size = stack.size();
    ::sigaltstack(&other, nullptr);
    installed_by = ::getpid();
    struct sigaction action{};
    action.sa_handler = end;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) { ::sigaction(signal, &action, nullptr); }
#endif
}

}  // namespace haruspex::cli
