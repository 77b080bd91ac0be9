#include "harness/compiler/worker.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

namespace haruspex::compiler {
namespace {

constexpr char answer_mark = 'a';
constexpr char failure_mark = 'f';

bool read_exactly(int socket, void* into, std::size_t size) {
    auto* at = static_cast<char*>(into);
    while (size > 0) {
        const ssize_t count = ::read(socket, at, size);
        if (count < 0 && errno == EINTR) { continue; }
        if (count <= 0) { return false; }
        at += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

// A reader that is gone is noticed when reading from it; writing must only not raise SIGPIPE.
bool write_exactly(int socket, const void* from, std::size_t size) {
    const auto* at = static_cast<const char*>(from);
    while (size > 0) {
        const ssize_t count = ::send(socket, at, size, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) { continue; }
        if (count <= 0) { return false; }
        at += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

bool write_frame(int socket, char mark, const std::string& text) {
    const std::uint64_t size = text.size();
    std::string frame(1, mark);
    frame.append(reinterpret_cast<const char*>(&size), sizeof size);
    frame += text;
    return write_exactly(socket, frame.data(), frame.size());
}

// Lets this process spend `most` more of CPU time, after which SIGXCPU ends it. A lower hard limit stays.
void limit_processor_time(std::chrono::seconds most) {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    rlimit limit{};
    ::getrlimit(RLIMIT_CPU, &limit);
    // In whole seconds, including the current one.
    limit.rlim_cur = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1 + most.count());
    limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
    ::setrlimit(RLIMIT_CPU, &limit);
}

[[noreturn]] void serve(int socket, const Worker::Work& work, std::optional<std::chrono::seconds> most) {
    std::uint64_t index = 0;
    while (read_exactly(socket, &index, sizeof index)) {
        if (most) { limit_processor_time(*most); }
        std::string answer;
        try {
            answer = work(index);
        } catch (const std::exception& exception) {
            write_frame(socket, failure_mark, exception.what());
            ::_exit(3);
        }
        if (!write_frame(socket, answer_mark, answer)) { break; }
    }
    // Not exit(): the parent's buffers and handlers were inherited, and are not ours to flush and run.
    ::_exit(0);
}

void become_worker(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have died before the line above.
    if (::getppid() != parent) { ::_exit(0); }
    // A group of its own, so that Ctrl-C on the terminal reaches the parent alone. If every process of ours is asked to
    // end, as service managers do, the parent handles it too, and the current case must not look like a crash.
    ::setpgid(0, 0);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) { ::signal(signal, SIG_IGN); }
    ::signal(SIGXCPU, SIG_DFL);
}

}  // namespace

Result<Worker> Worker::start(const Work& work, const std::list<Worker>& others,
                             std::optional<std::chrono::seconds> most) {
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        return fail("cannot talk to a worker process: " + std::string(std::strerror(errno)));
    }
    const pid_t parent = ::getpid();
    // Text buffered now would be written a second time when the child flushes its copy.
    std::fflush(nullptr);
    const pid_t process = ::fork();
    if (process < 0) {
        const int error = errno;
        ::close(sockets[0]);
        ::close(sockets[1]);
        return fail("cannot start a worker process: " + std::string(std::strerror(error)));
    }
    if (process == 0) {
        become_worker(parent);
        ::close(sockets[0]);
        for (const Worker& other : others) { ::close(other.socket_); }
        serve(sockets[1], work, most);
    }
    ::close(sockets[1]);
    return Worker(process, sockets[0], most);
}

Worker::Worker(Worker&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      socket_(std::exchange(other.socket_, -1)),
      pending_(std::move(other.pending_)),
      status_(other.status_),
      most_(other.most_) {}

Worker::~Worker() {
    if (socket_ >= 0) { ::close(socket_); }
    if (process_ > 0) { ending(); }
}

void Worker::give(std::uint64_t index) {
    pending_.push_back(index);
    write_exactly(socket_, &index, sizeof index);
}

Worker::Message Worker::receive() {
    char mark = 0;
    std::uint64_t size = 0;
    std::string text;
    bool whole = read_exactly(socket_, &mark, 1) && read_exactly(socket_, &size, sizeof size);
    if (whole) {
        text.resize(size);
        whole = read_exactly(socket_, text.data(), size);
    }
    if (!whole || pending_.empty()) { return ended(); }
    return {mark == answer_mark ? Kind::answer : Kind::failure, oldest(), std::move(text)};
}

Worker::Message Worker::ended() {
    const auto index = oldest();
    return {Kind::gone, index, ending()};
}

std::optional<std::uint64_t> Worker::oldest() {
    if (pending_.empty()) { return std::nullopt; }
    const std::uint64_t index = pending_.front();
    pending_.pop_front();
    return index;
}

void Worker::kill() {
    if (process_ > 0 && !status_) { ::kill(process_, SIGKILL); }
}

bool Worker::has_ended() {
    int status = 0;
    if (!status_ && ::waitpid(process_, &status, WNOHANG) == process_) { status_ = status; }
    return status_.has_value();
}

std::string Worker::ending() {
    int status = 0;
    while (!status_) {
        const pid_t ended = ::waitpid(process_, &status, 0);
        if (ended < 0 && errno == EINTR) { continue; }
        status_ = ended == process_ ? status : 0;
    }
    if (WIFSIGNALED(*status_) && WTERMSIG(*status_) == SIGXCPU && most_) {
        return "no answer within " + std::to_string(most_->count()) + " s of processor time";
    }
    if (WIFSIGNALED(*status_)) { return "the worker process died of signal " + std::to_string(WTERMSIG(*status_)); }
    return "the worker process ended with exit code " + std::to_string(WEXITSTATUS(*status_));
}

void receive(std::list<Worker>& workers, std::chrono::milliseconds most,
             const std::function<void(const Worker&, const Worker::Message&)>& take) {
    std::vector<pollfd> descriptors;
    for (const Worker& worker : workers) { descriptors.push_back({worker.descriptor(), POLLIN, 0}); }
    if (::poll(descriptors.data(), descriptors.size(), static_cast<int>(most.count())) < 0) { return; }
    auto descriptor = descriptors.begin();
    for (auto worker = workers.begin(); worker != workers.end(); ++descriptor) {
        const auto here = worker++;
        const bool silent = descriptor->revents == 0;
        if (silent && !(here->has_ended() && ::poll(&*descriptor, 1, 0) == 0)) { continue; }
        const Worker::Message message = silent ? here->ended() : here->receive();
        take(*here, message);
        if (message.kind != Worker::Kind::answer) { workers.erase(here); }
    }
}

}  // namespace haruspex::compiler
