#include "harness/compiler/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "harness/compiler/frame.h"
#include "harness/compiler/limiting.h"
#include "harness/compiler/serialize.h"

namespace haruspex::compiler {
namespace {

// The result pipe of this child, and the frame to write there when memory has run out. A new-handler takes no argument
// and cannot allocate, so it has to find them here. Set once, by run_child.
int result_pipe = -1;
Bytes exhausted_frame;

void write_all(int fd, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0) {
            if (errno == EINTR) { continue; }
            ::_exit(1);  // the parent is gone
        }
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
}

void send(FrameKind kind, std::span<const std::uint8_t> payload) { write_all(result_pipe, encode(kind, payload)); }

void on_exhaustion() {
    // Reported once; later failures just throw.
    std::set_new_handler(nullptr);
    write_all(result_pipe, exhausted_frame);
    throw std::bad_alloc();
}

void on_exit_called(int status, void*) {
    const auto u = static_cast<std::uint32_t>(status);
    const std::array<std::uint8_t, 4> payload{static_cast<std::uint8_t>(u), static_cast<std::uint8_t>(u >> 8),
                                              static_cast<std::uint8_t>(u >> 16), static_cast<std::uint8_t>(u >> 24)};
    send(FrameKind::exit_called, payload);
    ::_exit(status);
}

void restore_signals() {
    for (const int signal :
         {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXCPU, SIGQUIT, SIGALRM, SIGCHLD, SIGTRAP, SIGSYS}) {
        std::signal(signal, SIG_DFL);
    }
    // If every process of ours is asked to end, as service managers do, the parent handles it. The current case is
    // finished, or killed with the parent.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) { std::signal(signal, SIG_IGN); }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void redirect_streams(int output_fd) {
    const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null >= 0) { ::dup2(null, STDIN_FILENO); }
    ::dup2(output_fd, STDOUT_FILENO);
    ::dup2(output_fd, STDERR_FILENO);
}

Bytes as_bytes(const std::string& text) { return Bytes(text.begin(), text.end()); }

}  // namespace

void run_child(Compiler& compiler, const cases::Case& c, const Request& request, const Limits& limits, int result_fd,
               int output_fd) {
    // No orphan survives the parent, whatever ends it.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);
    result_pipe = result_fd;
    exhausted_frame = encode(FrameKind::exhausted, {});
    restore_signals();
    redirect_streams(output_fd);
    // Exit handlers run last-registered first: this one runs before any of the parent's and ends the process.
    ::on_exit(on_exit_called, nullptr);
    limit_this_process(limits);
    std::set_new_handler(on_exhaustion);
    Phase phase = Phase::build;
    Progress progress;
    progress.enter = [&phase](Phase next) {
        phase = next;
        const std::array<std::uint8_t, 1> payload{static_cast<std::uint8_t>(next)};
        send(FrameKind::phase, payload);
    };
    progress.lowered = [](const Lowered& lowered) { send(FrameKind::lowered, serialize(lowered)); };
    progress.regions = [](const std::vector<InputRegion>& regions) { send(FrameKind::regions, serialize(regions)); };
    try {
        const Observation observation = compiler.observe(c, request, progress);
        // Not every stream: those of the parent's files hold text that the parent has not written yet.
        std::fflush(stdout);
        send(FrameKind::observation, serialize(observation));
    } catch (const std::bad_alloc&) {
        Observation observation;
        observation.outcome = Outcome::out_of_memory;
        observation.phase = phase;
        observation.message = "std::bad_alloc";
        send(FrameKind::observation, serialize(observation));
    } catch (const std::exception& e) { send(FrameKind::failure, as_bytes(e.what())); } catch (...) {
        send(FrameKind::failure, as_bytes("unknown exception"));
    }
    ::_exit(0);
}

}  // namespace haruspex::compiler
