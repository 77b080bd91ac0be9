#pragma once

#include <optional>
#include <string>

#include "generators/case/case.h"
#include "generators/sare/algorithm.h"
#include "oracle/verdict/verdict.h"
#include "reports/render/cpp_algorithm.h"

// What surrounds the pipeline in a stand-alone program: sizes, inputs, buffers, and what is done with the result.
namespace haruspex::render {

std::string run_includes();
// The functions above main: the hash that fills inputs (generators/case/inputs.cpp), the comparison or the checksum.
std::string run_helpers(const cases::Case& c, const std::optional<verdict::Verdict>& verdict);
// The end of main: from the sizes to the exit code.
std::string run_part(const cases::Case& c, const sare::Algorithm& algorithm, const AlgorithmWriter& definitions,
                     Identifiers& identifiers, const std::optional<verdict::Verdict>& verdict);

}  // namespace haruspex::render
