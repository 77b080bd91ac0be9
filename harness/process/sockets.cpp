#include "harness/process/sockets.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "generators/base/ensure.h"

namespace haruspex::process {

namespace {

void die_with(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) { ::_exit(0); }
    ::setpgid(0, 0);
    // Reset the parent's handlers.
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXCPU}) { std::signal(signal, SIG_DFL); }
}

}  // namespace

Child start_child(const std::function<void(int socket)>& work) {
    std::array<int, 2> ends{};
    ENSURE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0,
           std::string("socketpair: ") + std::strerror(errno));
    const pid_t parent = ::getpid();
    std::fflush(nullptr);  // otherwise the child would write it, too
    const pid_t child = ::fork();
    ENSURE(child >= 0, std::string("fork: ") + std::strerror(errno));
    if (child == 0) {
        die_with(parent);
        work(ends[1]);
        ::_exit(0);
    }
    ::close(ends[1]);
    return {child, ends[0]};
}

void write_all(int descriptor, const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const ssize_t n = ::send(descriptor, text.data() + at, text.size() - at, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) { continue; }
        if (n <= 0) { return; }  // the reader is gone
        at += static_cast<std::size_t>(n);
    }
}

bool read_until(Until until, int descriptor, std::string& text,
                std::optional<std::chrono::steady_clock::time_point> deadline) {
    std::array<char, 65536> buffer{};
    while (until == Until::end || !text.ends_with('\n')) {
        int wait = -1;
        if (deadline) {
            // Rounded up: a caller that is told that time is up must find the deadline behind it.
            const auto left =
                std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now()).count();
            if (left <= 0) { return false; }
            constexpr long long longest = 60'000;  // for one call of poll, in milliseconds
            wait = static_cast<int>(std::min<long long>(left, longest));
        }
        pollfd watched{descriptor, POLLIN, 0};
        const int ready = ::poll(&watched, 1, wait);
        if (ready < 0 && errno != EINTR) { return false; }
        if (ready <= 0) { continue; }
        const ssize_t n = ::read(descriptor, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) { continue; }
        if (n <= 0) { return n == 0 && until == Until::end; }
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
    return true;
}

}  // namespace haruspex::process
