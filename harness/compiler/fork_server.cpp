#include "harness/compiler/fork_server.h"

#include <fmt/core.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/sizes.h"
#include "harness/compiler/child.h"
#include "harness/compiler/descriptor.h"
#include "harness/compiler/frame.h"
#include "harness/compiler/message.h"
#include "harness/compiler/process_state.h"
#include "harness/compiler/serialize.h"

namespace haruspex::compiler {
namespace {

using Clock = std::chrono::steady_clock;

// How long a child may do nothing at all before it is given up. The code that is run waits only for itself, neither for
// time to pass nor for a network.
constexpr std::chrono::milliseconds between_looks{100};
constexpr int most_idle_looks = 20;

struct Pipe {
    Descriptor read, write;
};

Pipe make_pipe() {
    std::array<int, 2> ends{};
    ENSURE(::pipe2(ends.data(), O_CLOEXEC) == 0, std::string("pipe2: ") + std::strerror(errno));
    Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
    ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
    return pipe;
}

// Keeps the end of the output, since a compiler prints its reason to abort last, unless it says how the line of its
// reason begins (Compiler::reason_to_abort). If the output is too long, only that line is kept.
class LastWords {
public:
    explicit LastWords(std::string_view reason) : start_of_reason_(reason) {}

    void append(std::span<const std::uint8_t> bytes) {
        text_.append(bytes.begin(), bytes.end());
        size_ += bytes.size();
        if (!start_of_reason_.empty()) {
            if (const std::size_t at = text_.rfind(start_of_reason_); at != text_.npos) {
                reason_ = text_.substr(at, text_.find('\n', at) - at);
            }
        }
        if (text_.size() > 2 * most) { text_.erase(0, text_.size() - most); }
    }
    std::string text() const {
        if (size_ <= most) { return normalise(text_); }
        return normalise(reason_.empty() ? text_.substr(text_.size() - most) : reason_);
    }

private:
    static constexpr std::size_t most = 2000;
    std::string_view start_of_reason_;
    std::string text_, reason_;
    std::size_t size_ = 0;
};

// A forked child: what it has sent so far, and how it ended.
class Child {
public:
    Child(pid_t pid, Descriptor results, Descriptor output, std::string_view reason_to_abort)
        : pid_(pid), results_(std::move(results)), output_(std::move(output)), last_words_(reason_to_abort) {}
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (!collected_) { finish(); }
    }

    // Listens until there is a result, the child has ended, it breaks the protocol, or the time is up.
    void listen(std::chrono::milliseconds limit);
    // Kills what is left of the child and collects it.
    void finish();
    Observation classify(const Limits& limits) const;
    // The CPU time that the child took; call finish() first.
    std::chrono::nanoseconds cpu_time() const;
    std::vector<Lowered> take_lowered() { return std::move(lowered_); }
    std::vector<InputRegion> take_regions() { return std::move(regions_); }

private:
    void read_results();
    void read_output();
    void take(const Frame& frame);
    // Moves the deadline while the child computes.
    bool is_overdue(std::chrono::milliseconds limit);
    // Checks now and then whether any thread is runnable or has used CPU time.
    bool is_deadlocked();
    bool is_concluded() const { return observation_ || failure_ || broken_; }
    Observation ended(Outcome outcome, std::string message, int signal = 0) const;
    Observation classify_signal(int signal, const Limits& limits) const;

    pid_t pid_;
    Descriptor results_, output_;
    FrameReader reader_;
    LastWords last_words_;
    std::optional<Phase> phase_;
    std::optional<Observation> observation_;
    std::vector<Lowered> lowered_;
    std::vector<InputRegion> regions_;
    std::optional<std::string> failure_;  // of the harness itself, in the child
    std::optional<int> exit_called_;
    bool exhausted_ = false;
    bool broken_ = false;
    bool overdue_ = false;
    Clock::time_point deadline_;
    std::chrono::nanoseconds computed_{0};  // CPU time when the deadline was set
    bool deadlocked_ = false;
    int idle_looks_ = 0;  // in a row
    Clock::time_point next_look_ = Clock::now() + between_looks;
    std::chrono::nanoseconds computed_at_look_{0};
    bool collected_ = false;
    int status_ = 0;
    rusage usage_{};
};

// Reads at most one buffer of what has arrived; false at the end of the stream.
template <typename Take>
bool drain(int fd, Take take) {
    std::array<std::uint8_t, 65536> buffer;
    for (;;) {
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n > 0) {
            take(std::span<const std::uint8_t>(buffer.data(), static_cast<std::size_t>(n)));
            // Another full buffer may be waiting, but the deadline may be due as well.
            return true;
        }
        if (n == 0) { return false; }
        if (errno == EINTR) { continue; }
        return errno == EAGAIN || errno == EWOULDBLOCK;
    }
}

void Child::take(const Frame& frame) {
    const auto malformed = [&](bool wrong) { broken_ = broken_ || wrong; };
    switch (frame.kind) {
        case FrameKind::phase:
            malformed(frame.payload.size() != 1 || frame.payload[0] > static_cast<std::uint8_t>(Phase::done));
            if (!broken_) { phase_ = static_cast<Phase>(frame.payload[0]); }
            return;
        case FrameKind::observation: {
            Result<Observation> observation = deserialize(frame.payload);
            malformed(!observation);
            if (observation) { observation_ = std::move(*observation); }
            return;
        }
        case FrameKind::lowered: {
            Result<Lowered> lowered = deserialize_lowered(frame.payload);
            malformed(!lowered);
            if (lowered) { lowered_.push_back(std::move(*lowered)); }
            return;
        }
        case FrameKind::regions: {
            Result<std::vector<InputRegion>> regions = deserialize_regions(frame.payload);
            malformed(!regions);
            if (regions) { regions_ = std::move(*regions); }
            return;
        }
        case FrameKind::exhausted: exhausted_ = true; return;
        case FrameKind::exit_called: {
            malformed(frame.payload.size() != 4);
            if (broken_) { return; }
            std::uint32_t status = 0;
            for (std::size_t i = 0; i < 4; ++i) { status |= std::uint32_t{frame.payload[i]} << (8 * i); }
            exit_called_ = static_cast<int>(status);
            return;
        }
        case FrameKind::failure: failure_ = std::string(frame.payload.begin(), frame.payload.end()); return;
    }
}

void Child::read_results() {
    const bool open = drain(results_.get(), [&](auto bytes) { reader_.append(bytes); });
    while (auto frame = reader_.next()) {
        take(*frame);
        if (is_concluded()) { break; }
    }
    broken_ = broken_ || reader_.is_broken();
    if (!open) { results_.reset(); }
}

void Child::read_output() {
    if (!drain(output_.get(), [&](auto bytes) { last_words_.append(bytes); })) { output_.reset(); }
}

// CPU time of all threads of the child so far; 0 if unknown.
std::chrono::nanoseconds cpu_time_of(pid_t pid) {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) { return {}; }
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

bool Child::is_overdue(std::chrono::milliseconds limit) {
    if (Clock::now() < deadline_) { return false; }
    // On a busy machine a child may wait long for CPU time, which has its own limit.
    constexpr int least_share = 50;
    const auto computed = cpu_time_of(pid_);
    overdue_ = computed - computed_ < limit / least_share && !wants_to_run(pid_);
    computed_ = computed;
    deadline_ = Clock::now() + limit;
    return overdue_;
}

bool Child::is_deadlocked() {
    if (Clock::now() < next_look_) { return false; }
    const auto computed = cpu_time_of(pid_);
    const bool is_idle = computed == computed_at_look_ && !wants_to_run(pid_);
    computed_at_look_ = computed;
    idle_looks_ = is_idle ? idle_looks_ + 1 : 0;
    next_look_ = Clock::now() + between_looks;
    deadlocked_ = idle_looks_ >= most_idle_looks;
    return deadlocked_;
}

void Child::listen(std::chrono::milliseconds limit) {
    deadline_ = Clock::now() + limit;
    while (!is_concluded() && results_.is_open()) {
        if (is_overdue(limit) || is_deadlocked()) { return; }
        const auto until = std::min(deadline_, next_look_);
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
        // poll ignores negative descriptors, so a closed output needs no case of its own.
        std::array<pollfd, 2> waiting{pollfd{results_.get(), POLLIN, 0}, pollfd{output_.get(), POLLIN, 0}};
        const int ready =
            ::poll(waiting.data(), waiting.size(), static_cast<int>(std::clamp<long long>(left, 0, 60000)));
        if (ready < 0 && errno != EINTR) { raise_internal_error(__FILE__, __LINE__, "poll failed"); }
        if (ready <= 0) { continue; }
        if (waiting[1].revents != 0) { read_output(); }
        if (waiting[0].revents != 0) { read_results(); }
    }
    if (is_concluded()) { return; }
    // The child has closed its end: it is dying, or its code under test closed a descriptor that is not its own. Do not
    // collect it yet: a dead leader keeps its group's number from being reused.
    for (;;) {
        siginfo_t info{};
        if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0) {
            return;
        }
        if (is_overdue(limit) || is_deadlocked()) { return; }
        ::poll(nullptr, 0, 1);
    }
}

void Child::finish() {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    while (::wait4(pid_, &status_, 0, &usage_) < 0 && errno == EINTR) {}
    collected_ = true;
    if (observation_) { return; }
    // A pipe holds at most a few buffers, and no process writes to it any more.
    for (int i = 0; i < 64 && output_.is_open(); ++i) { read_output(); }
}

std::chrono::nanoseconds Child::cpu_time() const {
    const auto seconds = [](const timeval& t) {
        return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
    };
    return seconds(usage_.ru_utime) + seconds(usage_.ru_stime);
}

Observation Child::ended(Outcome outcome, std::string message, int signal) const {
    Observation o;
    o.outcome = outcome;
    o.phase = phase_.value_or(Phase::build);
    o.signal = signal;
    const std::string words = last_words_.text();
    o.message = words.empty() ? std::move(message) : message + ": " + words;
    return o;
}

// Whether code causes the signal itself, by an invalid action or by abort(); other signals are sent by another process.
bool is_own_doing(int signal) {
    constexpr std::array own{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    return std::ranges::find(own, signal) != own.end();
}

Observation Child::classify_signal(int signal, const Limits& limits) const {
    if (signal == SIGXCPU || (signal == SIGKILL && cpu_time() >= limits.cpu)) {
        return ended(Outcome::timed_out, fmt::format("CPU limit of {} ms", limits.cpu.count()));
    }
    const char* abbreviation = ::sigabbrev_np(signal);
    const std::string name =
        abbreviation != nullptr ? std::string("SIG") + abbreviation : "signal " + std::to_string(signal);
    // We did not send it (the child would be overdue): another process killed the child.
    if (!is_own_doing(signal)) {
        return ended(Outcome::harness_failed, "the child was killed from outside by " + name);
    }
    const std::string words = last_words_.text();
    const auto says = [&](const char* what) { return words.find(what) != std::string::npos; };
    if (exhausted_ || says("out of memory") || says("bad_alloc") || says("Cannot allocate memory")) {
        return ended(Outcome::out_of_memory, fmt::format("memory limit of {} MiB", limits.memory_bytes >> 20), signal);
    }
    return ended(Outcome::crashed, name, signal);
}

Observation Child::classify(const Limits& limits) const {
    if (broken_) { return ended(Outcome::harness_failed, "the child broke the protocol"); }
    if (observation_) { return *observation_; }
    if (failure_) { return ended(Outcome::harness_failed, *failure_); }
    if (overdue_) { return ended(Outcome::timed_out, fmt::format("wall-clock limit of {} ms", limits.wall.count())); }
    if (deadlocked_) { return ended(Outcome::deadlocked, "deadlock: every thread waits"); }
    if (WIFSIGNALED(status_)) { return classify_signal(WTERMSIG(status_), limits); }
    if (exit_called_ && phase_) { return ended(Outcome::crashed, fmt::format("called exit({})", *exit_called_)); }
    return ended(Outcome::harness_failed,
                 "the child ended without a result, status " + std::to_string(WEXITSTATUS(status_)));
}

}  // namespace

ForkServer::ForkServer(Compiler& compiler, Limits limits, WarmUp when) : compiler_(compiler), limits_(limits) {
    if (when == WarmUp::at_once) { warm_up(); }
}

void ForkServer::warm_up() {
    if (!is_warm_) { compiler_.warm_up(); }
    is_warm_ = true;
}

ForkServer ForkServer::with_limits(Limits limits) const {
    ForkServer other = *this;
    other.limits_ = limits;
    return other;
}

Observation ForkServer::observe(const cases::Case& c, const Request& request) {
    if (request.run) { warm_up(); }
    const Limits limits = at_the_end_of_patience(limits_);
    Pipe results = make_pipe();
    Pipe output = make_pipe();
    // Text that is still buffered here would be written by the child, among its last words.
    std::fflush(stdout);
    std::fflush(stderr);
    const pid_t pid = ::fork();
    if (pid == 0) { run_child(compiler_, c, request, limits, results.write.get(), output.write.get()); }
    if (pid < 0) {
        Observation o;
        o.outcome = Outcome::harness_failed;
        o.phase = Phase::build;
        o.message = std::string("fork: ") + std::strerror(errno);
        return o;
    }
    // Parent and child both do this, so that the group exists before it is killed, whichever runs first.
    ::setpgid(pid, pid);
    results.write.reset();
    output.write.reset();
    Child child(pid, std::move(results.read), std::move(output.read), compiler_.reason_to_abort());
    child.listen(limits.wall);
    child.finish();
    slow_time_ += std::max<std::chrono::nanoseconds>(child.cpu_time() - limits_.cpu, {});
    Observation observation = child.classify(limits);
    observation.lowered = child.take_lowered();
    observation.input_regions = child.take_regions();
    return observation;
}

std::vector<Observation> ForkServer::observe_at(const cases::Case& c, const std::vector<Sizes>& sizes,
                                                const Request& request) {
    std::vector<Observation> all;
    if (sizes.size() > 1) {
        Request together = request;
        together.other_sizes.assign(sizes.begin() + 1, sizes.end());
        Observation first = observe(cases::at_sizes(c, sizes.front()), together);
        std::vector<Observation> others = std::exchange(first.elsewhere, {});
        // Otherwise the code at other sizes may have ended the child.
        if (is_clean(first)) {
            all.push_back(std::move(first));
            for (Observation& other : others) {
                other.lowered = all.front().lowered;
                all.push_back(std::move(other));
            }
        }
    }
    while (all.size() < sizes.size()) { all.push_back(observe(cases::at_sizes(c, sizes[all.size()]), request)); }
    return all;
}

}  // namespace haruspex::compiler
