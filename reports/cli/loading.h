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

// Cases on the command line: a case file, a folder that has one, or a program and a schedule as text.
namespace haruspex::cli {

// What a command that takes one case is given.
struct CaseArguments {
    std::string file, schedule;
    // What a program's text does not say:
    std::vector<std::string> sizes;
    std::optional<std::uint64_t> seed;
    std::optional<std::string> target;
    bool strict_float = false;
};
// Adds them to the command; `name` is what its help calls the case.
void add_case_arguments(CLI::App& command, CaseArguments& arguments, const std::string& name);

struct LoadedCase {
    cases::Case c;
    Origin origin;
    // Of a finding's folder:
    std::optional<verdict::Verdict> verdict = std::nullopt;
    std::uint64_t seed = 0, index = 0;
};
[[nodiscard]] Result<LoadedCase> load_case(const CaseArguments& arguments);
// Loads a case that is no program's text: "-" for standard input, a case file, or a folder with one.
[[nodiscard]] Result<LoadedCase> load_case(const std::string& argument);

// Why the case cannot be put to the compiler, if so: its schedule names what does not exist, or this machine does not
// run what is compiled for its target. Which rules the schedule breaks is for the compiler to judge, and a warning of
// the verdict.
std::optional<Error> refusal(const cases::Case& c, const Origin& origin, const compiler::Identity& identity);
// Why this machine does not run what is compiled for the target, if so.
std::optional<Error> refusal_of_target(const std::string& target);

}  // namespace haruspex::cli
