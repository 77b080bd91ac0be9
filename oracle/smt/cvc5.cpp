#include "oracle/smt/cvc5.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <vector>

#include "generators/base/ensure.h"

namespace haruspex::smt {
namespace {

// An anonymous file in memory, so that neither side waits for the other to read.
class Scratch {
public:
    Scratch() : fd_(::memfd_create("cvc5", MFD_CLOEXEC)) {
        ENSURE(fd_ >= 0, std::string("memfd_create: ") + std::strerror(errno));
    }
    ~Scratch() { ::close(fd_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    int fd() const { return fd_; }

    bool write(std::string_view text) {
        while (!text.empty()) {
            const ssize_t n = ::write(fd_, text.data(), text.size());
            if (n < 0 && errno == EINTR) { continue; }
            if (n <= 0) { return false; }
            text.remove_prefix(static_cast<std::size_t>(n));
        }
        return true;
    }

    // The content of the file, at most 64 KB.
    std::string content() const {
        std::string text(std::size_t{64} << 10U, '\0');
        const ssize_t n = ::pread(fd_, text.data(), text.size(), 0);
        text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
        return text;
    }

private:
    int fd_;
};

void limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
    const rlimit both{most, most};
    (void)::setrlimit(resource, &both);
}

// The forked child's side: becomes the program, or writes errno into the pipe.
[[noreturn]] void execute(const Cvc5& cvc5, std::vector<char*>& arguments, int input, int output, int failure) {
    limit(RLIMIT_CPU, static_cast<rlim_t>(cvc5.seconds));
    limit(RLIMIT_AS, cvc5.memory);
    limit(RLIMIT_CORE, 0);
    if (::dup2(input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 && ::dup2(output, STDERR_FILENO) >= 0) {
        ::execvp(cvc5.program.c_str(), arguments.data());
    }
    const int error = errno;
    (void)!::write(failure, &error, sizeof error);
    ::_exit(127);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Result<SecondOpinion> understood(const Cvc5& cvc5, int status, const std::string& said) {
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        if (signal == SIGXCPU || signal == SIGKILL) {
            return fail(cvc5.program + " was stopped after " + std::to_string(cvc5.seconds) + " seconds");
        }
        return fail(cvc5.program + " died of signal " + std::to_string(signal));
    }
    const std::string line = first_line(said);
    if (line == "sat") { return SecondOpinion{Satisfiability::sat, {}}; }
    if (line == "unsat") { return SecondOpinion{Satisfiability::unsat, {}}; }
    // When its budget is spent the program ends with "unknown", or reports an interruption.
    if (line == "unknown" || line.find("interrupted") != std::string::npos) {
        return SecondOpinion{Satisfiability::unknown, said.substr(0, said.find_last_not_of('\n') + 1)};
    }
    return fail(cvc5.program + " does not answer but says: " + (line.empty() ? "nothing" : said));
}

}  // namespace

Result<SecondOpinion> check_with_cvc5(const std::string& text, const Cvc5& cvc5) {
    Scratch input;
    const Scratch output;
    if (!input.write(text) || ::lseek(input.fd(), 0, SEEK_SET) != 0) {
        return fail("the query of " + std::to_string(text.size()) + " bytes cannot be stored for " + cvc5.program);
    }
    std::array<int, 2> failure{};
    if (::pipe2(failure.data(), O_CLOEXEC) != 0) { return fail(std::string("pipe: ") + std::strerror(errno)); }

    std::vector<std::string> words{cvc5.program, "--lang=smt2", "--rlimit=" + std::to_string(cvc5.rlimit)};
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) { arguments.push_back(word.data()); }
    arguments.push_back(nullptr);

    const pid_t child = ::fork();
    if (child == 0) { execute(cvc5, arguments, input.fd(), output.fd(), failure[1]); }
    const int fork_error = errno;
    ::close(failure[1]);
    int error = 0;
    ssize_t n = 0;
    if (child > 0) {
        // Returns when the program has started, which closes its end of the pipe, or could not start.
        do { n = ::read(failure[0], &error, sizeof error); } while (n < 0 && errno == EINTR);
    }
    ::close(failure[0]);
    if (child < 0) { return fail(std::string("fork: ") + std::strerror(fork_error)); }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) { return fail(std::string("waitpid: ") + std::strerror(errno)); }
    }
    if (n == sizeof error) { return fail("cannot run " + cvc5.program + ": " + std::strerror(error)); }
    return understood(cvc5, status, output.content());
}

}  // namespace haruspex::smt
