#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "generators/base/feature.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/conversion/premises.h"

// Converts a lowered program, for all sizes, into one over the specification's parameters alone. Its arrays have the
// tensors' dimensions instead of strides, and its indices are affine as far as possible.
//
// Conventions, for each value of the specification's parameters that its assumptions allow:
//   an output has the minima and extents of the requested box; its cells are disjoint from each other and from all
//   other memory, whatever the strides are; the stride of dimension 0 is 1;
//   an input has exactly the cells that it is asserted to have, whatever its strides are; the stride of dimension 0
//   is 1 (required.h). It has no cells if it is not read and no bounds are asserted, or if the asserted number of cells
//   is negative (a premise says that it is not);
//   the buffers that are passed have the types that they are asserted to have, and none has more than 2^31 - 1 bytes;
//   no parameter is greater than most_size, and no index or intermediate product leaves 32 bits.
// Under these conventions, and wherever the premises hold: if the converted program runs without trouble, the original
// does the same, step by step. The converse does not hold: an error of the converted program may lie at sizes that the
// original refuses, or come from a wrong division of an index into coordinates. Only a run of the original shows
// whether it is in trouble.
namespace haruspex::conversion {

inline constexpr std::int64_t most_size = 1 << 20;

struct Converted {
    sched::Program program;
    std::vector<Premise> premises;
    bool operator==(const Converted&) const = default;
};

// Which lets of bounds (min, max, quotients, …) are inlined into indices. A let that is not inlined is simplified once,
// where it is defined, and keeps products small. But then a stride and an index may refer to the same bound by
// different names, so that it is not seen that they do.
enum class Inlined : std::uint8_t { none, short_ones, all };
// Which coordinates of local memory are corrected if they lie just beyond their dimension: those that have a variable
// in common with the dimension's extent, or all.
enum class Corrected : std::uint8_t { named_like_extent, all };

// Whether a dimension of local memory with a constant extent is joined with the next one into a single dimension. Then
// an index cannot be divided wrongly between the two, but only divisions recover their coordinates.
enum class Rows : std::uint8_t { apart, joined };

// A way to convert a program. No way works for all programs, and the first one that works may leave indices that are
// too complicated for a proof.
struct Way {
    Inlined inlined = Inlined::all;
    Corrected carried = Corrected::named_like_extent;
    Rows rows = Rows::joined;
};
inline constexpr std::array all_ways{Way{Inlined::none, Corrected::named_like_extent, Rows::apart},
                                     Way{Inlined::none, Corrected::named_like_extent, Rows::joined},
                                     Way{Inlined::none, Corrected::all, Rows::joined},
                                     Way{Inlined::short_ones, Corrected::all, Rows::joined},
                                     Way{Inlined::all, Corrected::named_like_extent, Rows::joined}};

// The condition that no parameter is greater than most_size.
sare::Condition small_sizes(const sare::Sare& sare);

// Converts a well-typed program whose arrays' minima, extents and strides are parameters of its own. An Error names the
// obstacle: "data-dependent index", "linear memory: …".
[[nodiscard]] Supported<Converted> convert(const sare::Sare& sare, const sched::Program& program, Way way = {});

// The arrays of such a program after conversion: their dimensions are expressions of the specification's parameters,
// without strides.
[[nodiscard]] Supported<std::vector<sched::Array>> converted_arrays(const sare::Sare& sare,
                                                                    const sched::Program& program);

}  // namespace haruspex::conversion
