#pragma once

#include <optional>

#include "generators/case/case.h"
#include "generators/sare/algorithm.h"
#include "oracle/verdict/verdict.h"
#include "reports/render/halide/cpp_algorithm.h"
#include "reports/render/halide/cpp_main.h"

// The code around the pipeline in a stand-alone program: inputs, buffers, and the check whether the bug is still there.
namespace haruspex::render::halide {

RunText run_text(const cases::Case& c, const sare::Algorithm& algorithm, const AlgorithmWriter& definitions,
                 Identifiers& identifiers, const std::optional<verdict::Verdict>& verdict,
                 const std::string& statement);

}  // namespace haruspex::render::halide
