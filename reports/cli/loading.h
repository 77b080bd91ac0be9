#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "generators/sare/syntax.h"
#include "generators/tensor/syntax.h"
#include "oracle/verdict/verdict.h"
#include "reports/session/origin.h"

// Cases on the command line: a case file, a folder that contains one, or a program and a schedule as text. A program in a
// file NAME.tensor is one of whole tensors, which is translated to a SARE.
namespace haruspex::cli {

// Reads a file, or standard input for "-". Comments are those of SAREs, unless the file is called NAME.tensor.
[[nodiscard]] Result<session::SourceText> read_source(const std::string& argument);

// Returns the SARE of a program of whole tensors, in which an update accumulates each statement that is a contraction
// (sare/fold.h): schedules may name it. An Error if the program has none, located in its text.
[[nodiscard]] Result<sare::Sare> translated(const tensor::Program& program, const session::SourceText& source);

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
// Loads the case whose program is the SARE of a program of whole tensors; `source` is its text.
[[nodiscard]] Result<LoadedCase> load_tensor_program(const CaseArguments& arguments, session::SourceText source);
// Loads a case that is not given as a program's text: "-" for standard input, a case file, or a folder with one.
[[nodiscard]] Result<LoadedCase> load_case(const std::string& argument);

}  // namespace haruspex::cli
