#pragma once

#include <optional>

#include "generators/case/case.h"
#include "generators/sare/algorithm.h"
#include "oracle/verdict/verdict.h"
#include "reports/render/cpp_algorithm.h"
#include "reports/render/cpp_main.h"

// What surrounds the pipeline in a stand-alone program: inputs, buffers, and what is done to see whether the bug lives.
namespace haruspex::render {

RunText run_text(const cases::Case& c, const sare::Algorithm& algorithm, const AlgorithmWriter& definitions,
                 Identifiers& identifiers, const std::optional<verdict::Verdict>& verdict,
                 const std::string& statement);

}  // namespace haruspex::render
