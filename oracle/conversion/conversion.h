#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/feature.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

// What a compiler lowered, for all sizes: a program over the specification's parameters alone, whose arrays have the
// tensors' dimensions instead of strides, with affine indices as far as they are.
//
// Conventions, for each value of the specification's parameters that its assumptions allow:
//   an output's minima and extents are those of the box that is requested; its cells lie apart from each other and from
//   all else, whatever the strides are, and that of dimension 0 is 1;
//   an input has the cells that it is asserted to have and no others, whatever its strides are, and that of dimension
//   0 is 1 (required.h); one that is not read and of which no bounds are asserted has none, nor has one of which a
//   negative number is asserted (that none is asserted is a premise);
//   the buffers that are passed have the types that they are asserted to have, and none has more than 2^31 - 1 bytes;
//   no parameter is greater than most_size, and no index or intermediate product leaves 32 bits.
// Under these, and wherever the premises hold: where the converted program is in no trouble, the original does the
// same, step by step. What is wrong with it may lie where the original refuses its sizes, or come of coordinates that
// an index was divided into wrongly; whether the original is in trouble there, its run says.
namespace haruspex::conversion {

inline constexpr std::int64_t most_size = 1 << 20;

// What the program asserts of the parameters before anything else, and of the buffers that are passed where it may not
// hold of those that have the cells that they are asserted to have.
struct Premise {
    std::string text;
    std::optional<sare::Condition> condition;  // nothing where it is not affine, or of buffers
    bool is_needed = true;                     // by the converted program: what it does is to be shown where this holds
    bool operator==(const Premise&) const = default;
};

struct Converted {
    sched::Program program;
    std::vector<Premise> premises;
    bool operator==(const Converted&) const = default;
};

// What lets of bounds (min, max, quotients, …) are inlined into indices. Those that are not are simplified once, where
// they are defined, and keep products small; but then a stride and an index may name one bound differently.
enum class Inlined : std::uint8_t { none, short_ones, all };
// What divided coordinates are moved into their dimension where they are just beyond it.
enum class Carried : std::uint8_t { named_like_extent, all };

// Whether a dimension of constant extent and the next one have a coordinate together: then none of the two is taken for
// the other, but which is which is a matter of divisions.
enum class Rows : std::uint8_t { apart, joined };

// None of the ways converts all programs, and the first that does may leave indices that are hard to understand.
struct Way {
    Inlined inlined = Inlined::all;
    Carried carried = Carried::named_like_extent;
    Rows rows = Rows::joined;
};
inline constexpr std::array all_ways{
    Way{Inlined::none, Carried::named_like_extent, Rows::apart},
    Way{Inlined::none, Carried::named_like_extent, Rows::joined}, Way{Inlined::none, Carried::all, Rows::joined},
    Way{Inlined::short_ones, Carried::all, Rows::joined}, Way{Inlined::all, Carried::named_like_extent, Rows::joined}};

// No parameter is greater than most_size.
sare::Condition small_sizes(const sare::Sare& sare);

// The program is well-typed, and its arrays' minima, extents and strides are parameters of its own. An Error says what
// is not understood: "data-dependent index", "linear memory: …".
[[nodiscard]] Supported<Converted> convert(const sare::Sare& sare, const sched::Program& program, Way way = {});

// The arrays that such a program has: with dimensions that are made of the specification's parameters, and no strides.
[[nodiscard]] Supported<std::vector<sched::Array>> converted_arrays(const sare::Sare& sare,
                                                                    const sched::Program& program);

}  // namespace haruspex::conversion
