#include "reports/cli/stopping.h"

#include <initializer_list>

#include <signal.h>

namespace haruspex::cli {
namespace {

// Signal handlers can only reach a global.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void request_stop(int) { stop_requested = true; }

}  // namespace

const std::atomic<bool>& stop_on_signals() {
    struct sigaction action{};
    action.sa_handler = request_stop;
    // Resets the handler, so that the second Ctrl-C ends the process.
    action.sa_flags = SA_RESETHAND;
    for (const int signal : {SIGINT, SIGTERM}) { ::sigaction(signal, &action, nullptr); }
    // Under nohup SIGHUP stays ignored.
    struct sigaction hangup{};
    ::sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) { ::sigaction(SIGHUP, &action, nullptr); }
    return stop_requested;
}

void end_on_signals() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action{};
        ::sigaction(signal, nullptr, &action);
        if (action.sa_handler != request_stop) { continue; }
        action.sa_handler = SIG_DFL;
        ::sigaction(signal, &action, nullptr);
    }
}

}  // namespace haruspex::cli
