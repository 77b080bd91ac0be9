#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "generators/base/result.h"

// Other programs: a command's first word is a path, or a name to be looked for in PATH.
namespace haruspex::measure {

// What a command prints when it gets this input. An Error when it does not end with exit code 0.
[[nodiscard]] Result<std::string> run_command(const std::vector<std::string>& command, const std::string& input);

// A command that answers each line of its input with a line, kept running between questions.
class LineServer {
public:
    // `preloaded`: a shared object to be loaded before its libraries; none when empty.
    explicit LineServer(std::vector<std::string> command, const std::filesystem::path& preloaded = {});
    LineServer(const LineServer&) = delete;
    LineServer& operator=(const LineServer&) = delete;
    ~LineServer();

    // Without line breaks. An Error when it ends instead of answering; it never answers again then.
    [[nodiscard]] Result<std::string> ask(const std::string& line);
    // Only that may ask it, and ends it; in a forked child it is nothing.
    bool is_of_this_process() const;

private:
    std::string name_;
    pid_t owner_, process_;
    int socket_;
    bool has_ended_ = false;
};

}  // namespace haruspex::measure
