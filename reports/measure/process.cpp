#include "reports/measure/process.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <new>

#include "harness/compiler/limiting.h"
#include "harness/process/sockets.h"

namespace haruspex::measure {
namespace {

using Clock = std::chrono::steady_clock;

// The resident memory with which a child of this process starts, in bytes. Pages of files, such as the libraries' code, are
// the child's only when it uses them.
std::uint64_t inherited_resident() {
    unsigned long long all = 0, resident = 0, of_files = 0;
    if (FILE* file = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(file, "%llu %llu %llu", &all, &resident, &of_files) != 3) { resident = of_files = 0; }
        std::fclose(file);
    }
    return (resident - of_files) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

int wait_for(pid_t child, rusage& usage) {
    int status = 0;
    while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
    return status;
}

// The kinds of the child's message: an answer, an exception, or exhausted memory.
constexpr char answered = 'a', threw = 't', exhausted = 'm';

std::string sent_by(const std::function<std::string()>& work) {
    try {
        return answered + work();
    } catch (const std::bad_alloc&) { return std::string(1, exhausted); } catch (const std::exception& e) {
        return threw + std::string(e.what());
    }
}

std::expected<std::string, NoAnswer> understood(std::string sent, int status, bool in_time) {
    const auto limit = [](const char* reason) { return std::unexpected(NoAnswer{true, reason}); };
    const auto fault = [](const std::string& what) { return std::unexpected(NoAnswer{false, "fault: " + what}); };
    if (!in_time || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) { return limit("time limit"); }
    if (WIFSIGNALED(status)) { return fault("died of signal " + std::to_string(WTERMSIG(status))); }
    if (sent.empty()) { return fault("ended without an answer"); }
    const char kind = sent.front();
    sent.erase(0, 1);
    if (kind == exhausted) { return limit("memory limit"); }
    if (kind == threw) { return fault(sent); }
    return sent;
}

double seconds(const rusage& usage) { return seconds(usage.ru_utime) + seconds(usage.ru_stime); }

}  // namespace

double cpu_seconds() {
    rusage own{}, children{};
    ::getrusage(RUSAGE_SELF, &own);
    ::getrusage(RUSAGE_CHILDREN, &children);
    return seconds(own) + seconds(children);
}

Limited run_limited(const std::function<std::string()>& work, const compiler::Limits& limits) {
    const auto begin = Clock::now();
    const std::uint64_t resident = inherited_resident();
    const process::Child child = process::start_child([&](int socket) {
        compiler::limit_this_process(limits);
        process::write_all(socket, sent_by(work));
    });
    std::string sent;
    const bool in_time = process::read_until(process::Until::end, child.socket, sent, begin + limits.wall);
    ::close(child.socket);
    if (!in_time) {
        ::kill(-child.process, SIGKILL);
        ::kill(child.process, SIGKILL);
    }
    rusage usage{};
    const int status = wait_for(child.process, usage);
    Spent spent;
    spent.cpu_seconds = seconds(usage);
    spent.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto most = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    spent.memory_bytes = most > resident ? most - resident : 0;
    return {understood(std::move(sent), status, in_time), spent};
}

}  // namespace haruspex::measure
