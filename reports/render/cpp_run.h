#pragma once

#include <optional>
#include <set>
#include <string>

#include "generators/case/case.h"
#include "generators/sare/algorithm.h"
#include "oracle/verdict/verdict.h"
#include "reports/render/cpp_algorithm.h"

// What surrounds the pipeline in a stand-alone program: inputs, buffers, and what is done to see whether the bug lives.
namespace haruspex::render {

struct RunText {
    std::set<std::string> headers;  // beside Halide.h: "iostream", …
    std::string helpers;            // functions above main
    std::string opening;            // main, up to its first statement
    std::string body;               // from the buffers to the exit code
    std::string closing;            // the end of main
};

RunText run_text(const cases::Case& c, const sare::Algorithm& algorithm, const AlgorithmWriter& definitions,
                 Identifiers& identifiers, const std::optional<verdict::Verdict>& verdict);

}  // namespace haruspex::render
