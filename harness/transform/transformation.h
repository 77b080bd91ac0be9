#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// The legal transformations of SCHED programs.
namespace haruspex::transform {

enum class Transformation : std::uint8_t {
    tile_guarded,     // a loop is tiled; a branch skips the last tile's iterations beyond the end
    tile_bounded,     // a loop is tiled; the bound of the inner loop excludes iterations beyond the end
    tile_shifted,     // a loop is tiled; the last tile begins earlier and repeats some iterations
    tile_rounded_up,  // a loop is tiled; iterations beyond the end run, in arrays with room for their accesses
    interchange,      // two loops, one of which is the other's whole body, change places
    fission,          // a loop becomes two, each with a part of the body
    fusion,           // two loops become one, the second delayed by as many iterations as necessary
    peel,             // the first or last iterations, or those before a symbolic point, get a loop of their own
    unroll,           // a loop of fewer iterations repeats the body several times; another loop does the rest
    skew,             // an inner loop is shifted by a multiple of the outer variable, or the nest runs by wavefronts
    parallel,         // a loop becomes par
    vector,           // a loop becomes vector or unrolled
    lanes,            // an innermost loop becomes an assignment of several lanes
    contract,         // an array keeps only the last cells of a dimension, indexed by modulo
    compute_at,       // each iteration of a consumer's loop computes the cells of a function that it reads
    relayout,         // an array's dimensions are transposed, shifted or reversed
    inlining,         // reads of a function are replaced by its definition
    value_let,        // memory is read before the statement that uses the value
    affine_let,       // an index gets a name
    reorder,          // two independent statements are swapped
    specialise,       // a loop is duplicated in both branches of a condition on a parameter
    allocate_if,      // an array is allocated only if it is not empty
    free_early,       // an array is freed after its last use
    assertion,        // a consequence of the assumptions and the surrounding loops is asserted
    reversal,         // a loop runs backwards
    separation,       // a loop becomes two: its even iterations and then its odd ones
    lane_sum,         // several iterations that accumulate into one cell become lanes, whose operands are reduced first
};
inline constexpr std::size_t transformations = 27;
std::string_view name(Transformation transformation);  // "tile_guarded", …

}  // namespace haruspex::transform
