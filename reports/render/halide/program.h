#pragma once

#include <optional>
#include <string>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"
#include "reports/render/view.h"

// A case as a C++ program that needs only Halide.
namespace haruspex::render::halide {

[[nodiscard]] Result<PipelineText> pipeline_text(const cases::Case& c);

// The name of the program's file.
inline constexpr const char* program_file = "repro.cpp";

// Implements View::program. The first line of the program's first comment is the command that builds and runs it.
// `flags` are those with which g++ finds Halide: "-I/usr/include/halide14 -lHalide14".
[[nodiscard]] Result<Program> program(const cases::Case& c, const std::optional<verdict::Verdict>& verdict,
                                      const std::string& flags, const std::string& statement = {});

}  // namespace haruspex::render::halide
