#pragma once

#include <filesystem>
#include <fstream>
#include <string>

// Executables that speak like `haruspex judge`, as far as a test wants them to.
namespace haruspex::test {

inline const std::string greeting =
    R"({"haruspex_judge":1,"haruspex":"0.0.9","compiler":"halide","version":"1.2.3","major":14,"package":"halide-14"})";

// Writes an executable file, and the folders above it: a shell script.
inline void write_script(const std::filesystem::path& file, const std::string& script) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

// A script that greets and then does `answer` for each line of input, in $line.
inline std::string judging(const std::string& answer) {
    return "echo '" + greeting + "'\nwhile read -r line; do " + answer + "; done\n";
}

}  // namespace haruspex::test
