#include "harness/process/line_server.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "generators/base/ensure.h"
#include "harness/process/process.h"
#include "harness/process/sockets.h"

namespace haruspex::process {
namespace {

Child start(std::vector<std::string> command, const std::filesystem::path& preloaded) {
    std::vector<char*> pointers;
    for (std::string& word : command) { pointers.push_back(word.data()); }
    pointers.push_back(nullptr);
    return start_child([&](int socket) {
        ::dup2(socket, STDIN_FILENO);
        ::dup2(socket, STDOUT_FILENO);
        if (!preloaded.empty()) { ::setenv("LD_PRELOAD", preloaded.c_str(), 1); }
        ::execvp(pointers.front(), pointers.data());
        ::_exit(127);
    });
}

Ended wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    Ended ended;
    if (WIFSIGNALED(status)) {
        ended.signal = WTERMSIG(status);
    } else {
        ended.code = WEXITSTATUS(status);
    }
    return ended;
}

}  // namespace

LineServer::LineServer(std::vector<std::string> command, const std::filesystem::path& preloaded,
                       std::optional<std::chrono::seconds> most)
    : name_(command.front() + (preloaded.empty() ? "" : " with " + preloaded.filename().string())),
      most_(most),
      owner_(::getpid()) {
    const Child started = start(std::move(command), preloaded);
    process_ = started.process;
    socket_ = started.socket;
}

LineServer::~LineServer() {
    ::close(socket_);
    if (has_ended_ || !is_of_this_process()) { return; }
    ::kill(process_, SIGKILL);
    wait_for(process_);
}

bool LineServer::is_of_this_process() const { return owner_ == ::getpid(); }

Result<std::string> LineServer::ask(const std::string& line) {
    if (!has_ended_) { write_all(socket_, line + "\n"); }
    return listen();
}

Result<std::string> LineServer::listen() {
    ENSURE(is_of_this_process(), "a process asks its own companion");
    if (has_ended_) { return fail(name_ + " has ended"); }
    const auto now = std::chrono::steady_clock::now();
    const auto deadline = most_ ? std::optional(now + *most_) : std::nullopt;
    std::string answer;
    if (!read_until(Until::line, socket_, answer, deadline)) {
        has_ended_ = true;
        Limits limits;
        const bool was_too_slow = deadline && std::chrono::steady_clock::now() >= *deadline;
        if (was_too_slow) { limits.seconds = static_cast<std::uint64_t>(most_->count()); }
        // A command that has closed its output without ending would be waited for forever.
        ::shutdown(socket_, SHUT_RDWR);
        if (was_too_slow) { ::kill(process_, SIGKILL); }
        Ended ended = wait_for(process_);
        ended.was_too_slow = was_too_slow;
        return fail(name_ + " " + how(ended, limits));
    }
    answer.pop_back();
    return answer;
}

}  // namespace haruspex::process
