#pragma once

#include <optional>
#include <string>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// A case as a complete C++ program against Halide alone: builds the pipeline, applies the schedule, fills the inputs,
// runs, and compares with the expected value of the verdict's cell when one is given (exit 1 when it differs, 0 when it
// agrees). The first comment holds the g++ line that compiles it.
namespace haruspex::render {

[[nodiscard]] Result<std::string> halide_program(const cases::Case& c, const std::optional<verdict::Verdict>& verdict);

}  // namespace haruspex::render
