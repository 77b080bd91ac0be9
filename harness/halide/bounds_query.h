#pragma once

#include <expected>
#include <map>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "harness/compiler/compiler.h"
#include "harness/halide/translate.h"

// Answers the bounds query of a pipeline from its final statement, if there is no code to run.
//
// If a pipeline is given an input without memory, it only writes the region that it requires into that input's
// halide_buffer_t: under _halide_buffer_is_bounds_query it calls _halide_buffer_init. The statement around these calls
// consists of lets, conditions and asserts over the buffers' minima and extents and the parameters. The statement is
// evaluated here for the sizes of a case, without the compiler's simplifier, so that errors of the simplifier are not
// repeated.
namespace haruspex::halide {

// Minimum and extent of every dimension of a buffer.
struct Region {
    std::vector<std::int64_t> min, extent;
    bool operator==(const Region&) const = default;
};

// The reason why there are no regions.
struct NoRegions {
    compiler::RegionsUnknown reason = compiler::RegionsUnknown::no_answer;
    std::string words;
};
// Answers the query for `parameters` and outputs of the regions `outputs` (by the compiler's name of the buffer).
// Outputs have memory, inputs have none. Returns a region for each input of the interface, in the interface's order. As
// for a run, the query is repeated on its own answer until the answer does not change. The region of an input that the
// statement does not query is empty. Fails if an expression has no value, 32 bits overflow, or the query does not
// converge.
[[nodiscard]] std::expected<std::vector<compiler::InputRegion>, NoRegions> query_bounds(
    const Halide::Internal::Stmt& final_statement, const Interface& interface, const Sizes& parameters,
    const std::map<std::string, Region>& outputs);

}  // namespace haruspex::halide
