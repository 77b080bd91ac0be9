#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"
#include "reports/session/origin.h"

// Cases on the command line: a case file, a folder that contains one, or a program and a schedule as text.
namespace haruspex::cli {

// The arguments of a command that takes one case.
struct CaseArguments {
    std::string file, schedule;
    std::string compiler;  // for a case that is given as a program
    // For such a case, the properties that the program's text does not give:
    std::vector<std::string> sizes;
    std::optional<std::uint64_t> seed;
    std::optional<std::string> target;
    bool strict_float = false;
};
// Adds the arguments to the command; `name` stands for the case in its help.
void add_case_arguments(CLI::App& command, CaseArguments& arguments, const std::string& name);

struct LoadedCase {
    cases::Case c;
    session::Origin origin;
    // The stored verdict, if the case is from the folder of a finding.
    std::optional<verdict::Verdict> verdict = std::nullopt;
    std::uint64_t seed = 0, index = 0;
};
[[nodiscard]] Result<LoadedCase> load_case(const CaseArguments& arguments);
// Loads a case that is not given as a program's text: "-" for standard input, a case file, or a folder with one.
[[nodiscard]] Result<LoadedCase> load_case(const std::string& argument);

}  // namespace haruspex::cli
