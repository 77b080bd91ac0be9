#pragma once

#include <optional>
#include <string>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// A case as a C++ program that needs only Halide.
namespace haruspex::render {

// The pipeline as a user of Halide writes it: statements, one per line, not indented.
struct PipelineText {
    std::string declarations;  // parameters, inputs, variables
    std::string algorithm;
    std::string schedule;
};
[[nodiscard]] Result<PipelineText> pipeline_text(const cases::Case& c);

// The name of the program's file.
inline constexpr const char* program_file = "repro.cpp";

// Returns the complete program: it builds the pipeline, applies the schedule, fills the inputs, runs, and prints the
// expected and the actual result. It exits with 1 while the verdict's finding shows and with 0 otherwise (effect.h: as
// far as a run can show it). Without a verdict it prints a checksum of the outputs. `statement` is the statement to
// which the compiler lowers the case, by which the program tells of a finding that no run shows; it may be empty. The
// first line of the first comment compiles and runs the program; `flags` are those with which g++ finds Halide:
// "-I/usr/include/halide14 -lHalide14".
[[nodiscard]] Result<std::string> halide_program(const cases::Case& c, const std::optional<verdict::Verdict>& verdict,
                                                 const std::string& flags, const std::string& statement = {});

}  // namespace haruspex::render
