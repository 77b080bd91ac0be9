#include "reports/measure/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

#include "generators/base/ensure.h"

namespace haruspex::measure {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
    int read = -1, write = -1;
};

Pipe make_pipe() {
    std::array<int, 2> ends{};
    ENSURE(::pipe2(ends.data(), O_CLOEXEC) == 0, std::string("pipe2: ") + std::strerror(errno));
    return {ends[0], ends[1]};
}

void write_all(int descriptor, const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const ssize_t n = ::write(descriptor, text.data() + at, text.size() - at);
        if (n < 0 && errno == EINTR) { continue; }
        if (n <= 0) { return; }  // nobody reads any more
        at += static_cast<std::size_t>(n);
    }
}

// Until the end, or the time is up. Whether it came to the end.
bool read_all(int descriptor, std::string& text, std::optional<Clock::time_point> deadline) {
    std::array<char, 65536> buffer{};
    while (true) {
        int wait = -1;
        if (deadline) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now()).count();
            if (left <= 0) { return false; }
            wait = static_cast<int>(left);
        }
        pollfd watched{descriptor, POLLIN, 0};
        const int ready = ::poll(&watched, 1, wait);
        if (ready < 0 && errno != EINTR) { return false; }
        if (ready <= 0) { continue; }
        const ssize_t n = ::read(descriptor, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) { continue; }
        if (n <= 0) { return n == 0; }
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

// Of this process, from /proc/self/statm.
struct Pages {
    std::uint64_t all = 0, resident = 0;  // bytes
};

Pages own_pages() {
    unsigned long long all = 0, resident = 0;
    if (FILE* file = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(file, "%llu %llu", &all, &resident) != 2) { all = resident = 0; }
        std::fclose(file);
    }
    const auto size = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return {all * size, resident * size};
}

void take_over(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) { ::_exit(0); }
    ::setpgid(0, 0);
    // Handlers are the parent's.
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXCPU}) { std::signal(signal, SIG_DFL); }
}

void limit(const compiler::Limits& limits) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    const auto seconds = static_cast<rlim_t>((limits.cpu.count() + 999) / 1000);
    const rlimit cpu{seconds, seconds + 1};
    ::setrlimit(RLIMIT_CPU, &cpu);
    const rlim_t bytes = own_pages().all + limits.memory_bytes;
    const rlimit memory{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &memory);
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

int wait_for(pid_t child, rusage& usage) {
    int status = 0;
    while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
    return status;
}

// What the child sends: an answer, or what it met.
constexpr char answered = 'a', threw = 't', exhausted = 'm';

std::string sent_by(const std::function<std::string()>& work) {
    try {
        return answered + work();
    } catch (const std::bad_alloc&) { return std::string(1, exhausted); } catch (const std::exception& e) {
        return threw + std::string(e.what());
    }
}

std::expected<std::string, std::string> understood(std::string sent, int status, bool in_time) {
    if (!in_time || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))) {
        return std::unexpected("time limit");
    }
    if (WIFSIGNALED(status)) { return std::unexpected("fault: died of signal " + std::to_string(WTERMSIG(status))); }
    if (sent.empty()) { return std::unexpected("fault: ended without an answer"); }
    const char kind = sent.front();
    sent.erase(0, 1);
    if (kind == exhausted) { return std::unexpected("memory limit"); }
    if (kind == threw) { return std::unexpected("fault: " + sent); }
    return sent;
}

}  // namespace

Limited run_limited(const std::function<std::string()>& work, const compiler::Limits& limits) {
    const Pipe pipe = make_pipe();
    const auto begin = Clock::now();
    const std::uint64_t resident = own_pages().resident;
    const pid_t parent = ::getpid();
    std::fflush(nullptr);  // or a child writes it too
    const pid_t child = ::fork();
    ENSURE(child >= 0, std::string("fork: ") + std::strerror(errno));
    if (child == 0) {
        take_over(parent);
        limit(limits);
        write_all(pipe.write, sent_by(work));
        ::_exit(0);
    }
    ::close(pipe.write);
    std::string sent;
    const bool in_time = read_all(pipe.read, sent, begin + limits.wall);
    ::close(pipe.read);
    if (!in_time) {
        ::kill(-child, SIGKILL);
        ::kill(child, SIGKILL);
    }
    rusage usage{};
    const int status = wait_for(child, usage);
    Spent spent;
    spent.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    spent.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto most = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    spent.memory_bytes = most > resident ? most - resident : 0;
    return {understood(std::move(sent), status, in_time), spent};
}

Result<std::string> run_command(const std::vector<std::string>& command, const std::string& input,
                                const std::filesystem::path& preloaded) {
    const Pipe in = make_pipe(), out = make_pipe();
    std::vector<std::string> words = command;
    std::vector<char*> pointers;
    for (std::string& word : words) { pointers.push_back(word.data()); }
    pointers.push_back(nullptr);
    const pid_t parent = ::getpid();
    std::fflush(nullptr);
    const pid_t child = ::fork();
    ENSURE(child >= 0, std::string("fork: ") + std::strerror(errno));
    if (child == 0) {
        take_over(parent);
        ::dup2(in.read, STDIN_FILENO);
        ::dup2(out.write, STDOUT_FILENO);
        if (!preloaded.empty()) { ::setenv("LD_PRELOAD", preloaded.c_str(), 1); }
        ::execvp(pointers.front(), pointers.data());
        ::_exit(127);
    }
    ::close(in.read);
    ::close(out.write);
    write_all(in.write, input);
    ::close(in.write);
    std::string text;
    read_all(out.read, text, std::nullopt);
    ::close(out.read);
    rusage usage{};
    const int status = wait_for(child, usage);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        const std::string with = preloaded.empty() ? "" : " with " + preloaded.filename().string();
        return fail(command.front() + with + " ended with status " + std::to_string(status));
    }
    return text;
}

}  // namespace haruspex::measure
