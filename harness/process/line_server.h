#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"

namespace haruspex::process {

// A command that answers each line of input with a line, kept running between questions. Its first word is a path, or a
// name that is searched in PATH.
class LineServer {
public:
    // `preloaded` is a shared object to load before the command's libraries; empty for none. An answer that takes longer
    // than `most` ends the command.
    explicit LineServer(std::vector<std::string> command, const std::filesystem::path& preloaded = {},
                        std::optional<std::chrono::seconds> most = {});
    LineServer(const LineServer&) = delete;
    LineServer& operator=(const LineServer&) = delete;
    ~LineServer();

    // Sends a line to the command and returns the answer, both without line breaks. An Error if the command ends
    // instead; all later calls then fail, too.
    [[nodiscard]] Result<std::string> ask(const std::string& line);
    // Returns a line that the command writes unasked, such as a greeting. Fails as ask() does.
    [[nodiscard]] Result<std::string> listen();
    // Whether this process started the command. Only that process may call ask(), and only in that process does the
    // destructor end the command.
    bool is_of_this_process() const;

private:
    std::string name_;
    std::optional<std::chrono::seconds> most_;
    pid_t owner_, process_;
    int socket_;
    bool has_ended_ = false;
};

}  // namespace haruspex::process
