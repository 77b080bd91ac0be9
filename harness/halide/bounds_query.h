#pragma once

#include <expected>
#include <map>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "harness/compiler/compiler.h"
#include "harness/halide/translate.h"

// The bounds query of a pipeline, answered from its final statement, when there is no code that could be run.
//
// A pipeline that is given an input without memory writes the region it wants into that input's halide_buffer_t,
// calling _halide_buffer_init under _halide_buffer_is_bounds_query, and does nothing else. The statement around these
// calls is lets, conditions and asserts over the buffers' minima and extents and the parameters: it is evaluated on the
// numbers of a case, in arithmetic of its own, so that what the compiler's simplifier does wrong is not repeated here.
namespace haruspex::halide {

// Minimum and extent of every dimension of a buffer.
struct Region {
    std::vector<std::int64_t> min, extent;
    bool operator==(const Region&) const = default;
};

// What the query answers on `parameters`, with outputs of these regions (by the compiler's name of the buffer) that
// have memory and with no input that has any: a region for each input of the interface, in its order. As for a run, the
// query is repeated on its own answer until that does not change. An input that nothing asks about is empty.
//
// Otherwise why there is none: an expression that has no value, an overflow of 32 bits, a query that does not converge.
struct NoRegions {
    compiler::RegionsUnknown reason = compiler::RegionsUnknown::no_answer;
    std::string words;
};
[[nodiscard]] std::expected<std::vector<compiler::InputRegion>, NoRegions> query_bounds(
    const Halide::Internal::Stmt& final_statement, const Interface& interface, const Sizes& parameters,
    const std::map<std::string, Region>& outputs);

}  // namespace haruspex::halide
