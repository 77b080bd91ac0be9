#include "harness/process/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "generators/base/ensure.h"

namespace haruspex::process {
namespace {

std::unexpected<Error> fail_with(const std::string& what, int error) {
    return fail(what + ": " + std::strerror(error));
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }
    void close() {
        if (number_ >= 0) { ::close(number_); }
        number_ = -1;
    }

private:
    int number_;
};

// An anonymous file in memory, so that neither side waits for the other to read.
class Scratch {
public:
    Scratch() : file_(::memfd_create("scratch", MFD_CLOEXEC)) {
        ENSURE(file_.number() >= 0, std::string("memfd_create: ") + std::strerror(errno));
    }

    int number() const { return file_.number(); }

    bool fill(std::string_view text) {
        while (!text.empty()) {
            const ssize_t n = ::write(number(), text.data(), text.size());
            if (n < 0 && errno == EINTR) { continue; }
            if (n <= 0) { return false; }
            text.remove_prefix(static_cast<std::size_t>(n));
        }
        return ::lseek(number(), 0, SEEK_SET) == 0;
    }

    std::string content() const {
        std::string text;
        std::array<char, 65536> buffer{};
        for (;;) {
            const ssize_t n = ::pread(number(), buffer.data(), buffer.size(), static_cast<::off_t>(text.size()));
            if (n < 0 && errno == EINTR) { continue; }
            if (n <= 0) { return text; }
            text.append(buffer.data(), static_cast<std::size_t>(n));
        }
    }

private:
    Descriptor file_;
};

void limit(decltype(RLIMIT_CPU) resource, std::uint64_t most) {
    const rlimit both{most, most};
    (void)::setrlimit(resource, &both);
}

// The child's side: becomes the program, or writes errno into the pipe.
[[noreturn]] void execute(const Command& command, std::vector<char*>& words, pid_t parent, int input, int output,
                          int failure) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) { ::_exit(127); }
    ::setpgid(0, 0);
    if (command.limits.cpu_seconds) { limit(RLIMIT_CPU, *command.limits.cpu_seconds); }
    if (command.limits.memory) { limit(RLIMIT_AS, *command.limits.memory); }
    limit(RLIMIT_CORE, 0);
    const bool is_there = command.folder.empty() || ::chdir(command.folder.c_str()) == 0;
    bool is_connected = ::dup2(input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0;
    if (command.errors == Errors::with_output) { is_connected = ::dup2(output, STDERR_FILENO) >= 0 && is_connected; }
    if (command.errors == Errors::dropped) {
        const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        is_connected = nowhere >= 0 && ::dup2(nowhere, STDERR_FILENO) >= 0 && is_connected;
    }
    if (is_there && is_connected) { ::execvp(words.front(), words.data()); }
    const int error = errno;
    (void)!::write(failure, &error, sizeof error);
    ::_exit(127);
}

// Waits for the end of the process. Returns false if it takes longer than `seconds`.
bool ends_within(pid_t process, std::uint64_t seconds) {
    // Not by glibc's function: the header of 2.36 declares it with the wrong linkage.
    const Descriptor watched(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
    ENSURE(watched.number() >= 0, std::string("pidfd_open: ") + std::strerror(errno));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    for (;;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) { return false; }
        constexpr std::chrono::milliseconds longest{60'000};
        pollfd end{watched.number(), POLLIN, 0};
        const int ready = ::poll(&end, 1, static_cast<int>(std::min(left, longest).count()));
        if (ready > 0) { return true; }
        if (ready < 0 && errno != EINTR) { return true; }
    }
}

}  // namespace

std::string how(const Ended& ended, const Limits& limits) {
    if (ended.was_too_slow) { return "was stopped after " + std::to_string(*limits.seconds) + " seconds"; }
    if (!ended.signal) { return "ended with exit code " + std::to_string(ended.code); }
    const bool is_limit = *ended.signal == SIGXCPU || *ended.signal == SIGKILL;
    if (is_limit && limits.cpu_seconds) {
        return "was stopped after " + std::to_string(*limits.cpu_seconds) + " seconds";
    }
    return "died of signal " + std::to_string(*ended.signal) + " (" + ::strsignal(*ended.signal) + ")";
}

Result<Ended> run(const Command& command, const std::string& input) {
    ENSURE(!command.words.empty(), "a command has a program");
    Scratch given;
    const Scratch output;
    const std::string& program = command.words.front();
    if (!given.fill(input)) {
        return fail("the input of " + std::to_string(input.size()) + " bytes cannot be stored for " + program);
    }
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) { return fail_with("pipe", errno); }
    const Descriptor failure(ends[0]);
    Descriptor failing(ends[1]);

    std::vector<std::string> words = command.words;
    std::vector<char*> pointers;
    for (std::string& word : words) { pointers.push_back(word.data()); }
    pointers.push_back(nullptr);

    const pid_t parent = ::getpid();
    std::fflush(nullptr);  // otherwise a child that cannot start writes it, too
    const pid_t child = ::fork();
    if (child == 0) { execute(command, pointers, parent, given.number(), output.number(), failing.number()); }
    if (child < 0) { return fail_with("fork", errno); }
    failing.close();
    int error = 0;
    ssize_t n = 0;
    // Returns when the program has started, which closes its end of the pipe, or could not start.
    do { n = ::read(failure.number(), &error, sizeof error); } while (n < 0 && errno == EINTR);

    Ended ended;
    if (command.limits.seconds && !ends_within(child, *command.limits.seconds)) {
        ended.was_too_slow = true;
        ::kill(-child, SIGKILL);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) { return fail_with("waitpid", errno); }
    }
    if (n == sizeof error) { return fail_with("cannot run " + program, error); }
    if (WIFSIGNALED(status)) {
        ended.signal = WTERMSIG(status);
    } else {
        ended.code = WEXITSTATUS(status);
    }
    ended.output = output.content();
    return ended;
}

Result<std::string> output_of(const Command& command, const std::string& input) {
    auto ended = run(command, input);
    if (!ended) { return fail(std::move(ended.error())); }
    if (!ended->succeeded()) { return fail(command.words.front() + " " + how(*ended, command.limits)); }
    return std::move(ended->output);
}

}  // namespace haruspex::process
