#include "reports/bugs/beside.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace haruspex::bugs {
namespace {

// How many cases of the campaign there are for a run of the compiler by the triage.
constexpr std::uint64_t cases_for_a_run = 10;

}  // namespace

TriageBeside::TriageBeside(Options options) : options_(std::move(options)), next_(Clock::now() + options_.interval) {}

TriageBeside::~TriageBeside() {
    if (process_ <= 0) { return; }
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
}

void TriageBeside::look(std::uint64_t cases, std::uint64_t findings) {
    collect();
    if (process_ > 0 || Clock::now() < next_) { return; }
    const std::uint64_t runs = std::min(options_.most_runs, cases / cases_for_a_run);
    // With the same findings, twice as many runs may reach more groups.
    const bool is_news = findings > findings_ || (findings > 0 && runs >= 2 * runs_);
    if (runs == 0 || !is_news) { return; }
    findings_ = findings;
    runs_ = runs;
    begin(runs);
}

void TriageBeside::begin(std::uint64_t runs) {
    std::vector<std::string> words = options_.command;
    words.emplace_back("--most-runs");
    words.push_back(std::to_string(runs));
    std::vector<char*> pointers;
    for (std::string& word : words) { pointers.push_back(word.data()); }
    pointers.push_back(nullptr);
    began_ = Clock::now();
    const pid_t parent = ::getpid();
    std::fflush(nullptr);
    const pid_t process = ::fork();
    if (process == 0) {
        // It ends with the campaign, not with Ctrl-C on its terminal, and leaves the processors to the campaign's workers.
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) { ::_exit(127); }
        ::setpgid(0, 0);
        ::setpriority(PRIO_PROCESS, 0, 10);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) { ::signal(signal, SIG_DFL); }
        const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) { ::dup2(nowhere, stream); }
        ::execv(pointers.front(), pointers.data());
        ::_exit(127);
    }
    // Without a process there is no triage now, and one at the end.
    if (process < 0) { next_ = Clock::now() + options_.interval; }
    process_ = process;
    if (process > 0) { ::setpgid(process, process); }
}

void TriageBeside::collect() {
    if (process_ <= 0 || ::waitpid(process_, nullptr, WNOHANG) != process_) { return; }
    process_ = -1;
    const auto now = Clock::now();
    next_ = now + std::max<Clock::duration>(options_.interval, options_.rest * (now - began_));
}

}  // namespace haruspex::bugs
