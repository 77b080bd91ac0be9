#include "reports/measure/command.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "generators/base/ensure.h"
#include "reports/measure/sockets.h"

namespace haruspex::measure {
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

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

Error ended(const std::string& name, int status) {
    return {name + " ended with status " + std::to_string(status), {}, {}};
}

}  // namespace

LineServer::LineServer(std::vector<std::string> command, const std::filesystem::path& preloaded)
    : name_(command.front() + (preloaded.empty() ? "" : " with " + preloaded.filename().string())) {
    owner_ = ::getpid();
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
    ENSURE(is_of_this_process(), "a process asks its own companion");
    if (has_ended_) { return fail(name_ + " has ended"); }
    write_all(socket_, line + "\n");
    std::string answer;
    if (!read_until(Until::line, socket_, answer)) {
        has_ended_ = true;
        return fail(ended(name_, wait_for(process_)));
    }
    answer.pop_back();
    return answer;
}

}  // namespace haruspex::measure
