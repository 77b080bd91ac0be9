#include "reports/cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace haruspex::cli {

bool Output::print(const std::string& text) {
    errno = 0;
    const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!is_written && errno_ == 0) { errno_ = errno; }
    return is_written;
}

std::optional<Error> Output::lost() const {
    if (errno_ == 0 || errno_ == EPIPE) { return std::nullopt; }
    return Error{std::string("cannot write to standard output: ") + std::strerror(errno_), {}, {}};
}

void note(const std::string& text) { std::fputs(text.c_str(), stderr); }

}  // namespace haruspex::cli
