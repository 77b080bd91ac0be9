#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "oracle/verdict/verdict.h"
#include "reports/cli/origin.h"

// Cases on the command line: a case file, a folder that contains one, or a program and a schedule as text.
namespace haruspex::cli {

// The arguments of a command that takes one case.
struct CaseArguments {
    std::string file, schedule;
    std::string compiler;  // of a program
    // Properties of a case that a program's text does not give:
    std::vector<std::string> sizes;
    std::optional<std::uint64_t> seed;
    std::optional<std::string> target;
    bool strict_float = false;
};
// Adds the arguments to the command; `name` stands for the case in its help.
void add_case_arguments(CLI::App& command, CaseArguments& arguments, const std::string& name);

struct LoadedCase {
    cases::Case c;
    Origin origin;
    // The stored verdict, if the case is from a finding's folder.
    std::optional<verdict::Verdict> verdict = std::nullopt;
    std::uint64_t seed = 0, index = 0;
};
[[nodiscard]] Result<LoadedCase> load_case(const CaseArguments& arguments);
// Loads a case that is not given as a program's text: "-" for standard input, a case file, or a folder with one.
[[nodiscard]] Result<LoadedCase> load_case(const std::string& argument);

// Why the case cannot be put to the compiler, if so: its schedule uses an unknown name, or this machine cannot run code
// for its target. Illegal schedules are not refused: the compiler judges them, and the verdict has a warning.
std::optional<Error> refusal(const cases::Case& c, const Origin& origin, const compiler::Compiler& compiler);
// Why this machine cannot run code for the target, if so.
std::optional<Error> refusal_of_target(const std::string& target, const compiler::Compiler& compiler);

}  // namespace haruspex::cli
