#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/scratch.h"

// Runs the built command in a shell, in a folder of its own. Not in namespace haruspex, since that name stands for the
// command here.
namespace command_line {

inline const std::string haruspex = std::string(HARUSPEX_BINARY_DIR) + "/haruspex";

class Scratch : public tests::ScratchFolder {
public:
    std::string operator/(const std::string& name) const { return (path() / name).string(); }
};

inline std::string content_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// Copies an open bug from the corpus to `folder`.
inline void file_as(const std::string& bug, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder.parent_path());
    std::filesystem::copy(std::filesystem::path(HARUSPEX_SOURCE_DIR) / "corpus/regress/open" / bug, folder);
}

inline void write(const std::string& file, const std::string& content) {
    std::ofstream(file, std::ios::binary) << content;
}

struct Ran {
    int exit_code = -1;
    std::string out, err;
};

// Runs a shell command line.
inline Ran shell(const Scratch& scratch, const std::string& command) {
    const int status =
        std::system(("{ " + command + " ; } > " + (scratch / ".out") + " 2> " + (scratch / ".err")).c_str());
    Ran ran{WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(scratch / ".out"), content_of(scratch / ".err")};
    INFO(command);
    INFO(ran.err);
    // 128 and above means death by a signal.
    CHECK(ran.exit_code < 128);
    return ran;
}

// A folder in which commands run.
class WorkingFolder : public Scratch {
public:
    Ran run(const std::string& arguments) const {
        return shell(*this, "cd " + (*this / "") + " && " + haruspex + " " + arguments);
    }
    // Runs a command that must be refused, and returns its standard error.
    std::string refused(const std::string& arguments) const {
        const Ran ran = run(arguments);
        INFO(arguments);
        CHECK(ran.exit_code == 2);
        CHECK(ran.out.empty());
        return ran.err;
    }
};

// The major version of the Halide that the command is built with.
inline int halide_major() {
    const Scratch scratch;
    const std::string text = shell(scratch, haruspex + " --version").out, name = "halide ";
    const auto at = text.find(name);
    return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + name.size());
}

}  // namespace command_line
