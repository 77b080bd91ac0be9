#include "harness/compiler/process_state.h"

#include <filesystem>
#include <fstream>
#include <string>

namespace haruspex::compiler {

bool wants_to_run(pid_t pid) {
    std::error_code error;
    const std::filesystem::path threads = "/proc/" + std::to_string(pid) + "/task";
    for (std::filesystem::directory_iterator at(threads, error), end; !error && at != end; at.increment(error)) {
        // "1234 (name) R …"; a name may hold any character.
        std::string line;
        std::getline(std::ifstream(at->path() / "stat"), line);
        const std::size_t name = line.rfind(')');
        if (name == std::string::npos || name + 2 >= line.size()) { continue; }
        if (line[name + 2] == 'R' || line[name + 2] == 'D') { return true; }
    }
    return false;
}

}  // namespace haruspex::compiler
