#include "harness/compiler/process_state.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/catch.h"

namespace haruspex::compiler {
namespace {

template <typename Work>
pid_t start(Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::prctl(PR_SET_NAME, "a ) R b");
        work();
        ::_exit(0);
    }
    return child;
}

void end(pid_t child) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

}  // namespace

TEST_CASE("a process that computes wants to run, however busy the machine is, and one that sleeps does not") {
    const pid_t computing = start([] {
        for (volatile bool on = true; on;) {}
    });
    const pid_t sleeping = start([] {
        for (;;) { ::pause(); }
    });
    // It takes some time to fall asleep.
    while (wants_to_run(sleeping)) { ::usleep(1000); }
    for (int i = 0; i < 100; ++i) {
        CHECK(wants_to_run(computing));
        CHECK_FALSE(wants_to_run(sleeping));
    }
    end(computing);
    end(sleeping);
    CHECK_FALSE(wants_to_run(sleeping));
}

}  // namespace haruspex::compiler
