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
// A pipeline that is given an input without memory writes the region it requires into that input's halide_buffer_t,
// calling _halide_buffer_init under _halide_buffer_is_bounds_query, and does nothing else. The statement around these
// calls consists of lets, conditions and asserts over the buffers' minima and extents and the parameters. It is
// evaluated for the sizes of a case, in arithmetic of its own, so that errors of the compiler's simplifier are not
// repeated here.
namespace haruspex::halide {

// Minimum and extent of every dimension of a buffer.
struct Region {
    std::vector<std::int64_t> min, extent;
    bool operator==(const Region&) const = default;
};

// Answers the query for `parameters`, with outputs of these regions (by the compiler's name of the buffer) that have
// memory, and with no input that has memory. Returns a region for each input of the interface, in its order. As for a
// run, the query is repeated on its own answer until the answer does not change. An input that is not queried is empty.
//
// Fails if an expression has no value, 32 bits overflow, or the query does not converge.
struct NoRegions {
    compiler::RegionsUnknown reason = compiler::RegionsUnknown::no_answer;
    std::string words;
};
[[nodiscard]] std::expected<std::vector<compiler::InputRegion>, NoRegions> query_bounds(
    const Halide::Internal::Stmt& final_statement, const Interface& interface, const Sizes& parameters,
    const std::map<std::string, Region>& outputs);

}  // namespace haruspex::halide
