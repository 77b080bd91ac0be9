#include "tests/oracle/smt/programs.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/support/catch.h"

namespace haruspex::smt {

std::vector<std::string> answers(const std::string& command, const std::vector<std::string>& texts) {
    const auto file =
        std::filesystem::temp_directory_path() / ("haruspex-queries-" + std::to_string(::getpid()) + ".smt2");
    {
        std::ofstream out(file);
        for (const std::string& text : texts) { out << text << "(reset)\n"; }
    }
    FILE* pipe = ::popen((command + " " + file.string() + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::vector<std::string> lines;
    std::string line;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
        if (c == '\n') {
            lines.push_back(line);
            line.clear();
        } else {
            line += static_cast<char>(c);
        }
    }
    ::pclose(pipe);
    std::filesystem::remove(file);
    return lines;
}

}  // namespace haruspex::smt
