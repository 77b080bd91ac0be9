#include "reports/session/restart.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "reports/store/files.h"

namespace haruspex::session {
namespace {

std::vector<std::string> own_arguments() {
    std::vector<std::string> arguments;
    const auto line = store::read_file("/proc/self/cmdline");
    if (!line) { return arguments; }
    for (std::size_t at = 0; at < line->size();) {
        const std::size_t end = std::min(line->find('\0', at), line->size());
        arguments.push_back(line->substr(at, end - at));
        at = end + 1;
    }
    return arguments;
}

}  // namespace

std::string start_again_as(const std::filesystem::path& executable) {
    std::vector<std::string> arguments = own_arguments();
    std::vector<char*> pointers;
    for (std::string& argument : arguments) { pointers.push_back(argument.data()); }
    pointers.push_back(nullptr);
    ::execv(executable.c_str(), pointers.data());
    return "cannot start again as " + executable.string() + ": " + std::strerror(errno);
}

}  // namespace haruspex::session
