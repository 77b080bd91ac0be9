#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// The legal transformations of SCHED programs.
namespace haruspex::transform {

enum class Transformation : std::uint8_t {
    tile_guarded,     // a loop becomes two; a branch skips the last tile's iterations beyond the end
    tile_bounded,     // … the bound of the inner loop excludes them
    tile_shifted,     // … the last tile begins earlier and repeats some iterations
    tile_rounded_up,  // … all of them run, in arrays that have room for what they write
    interchange,      // of two loops, one of which is the other's whole body
    fission,          // a loop becomes two, each with a part of the body
    fusion,           // two loops become one, the second delayed by as many iterations as necessary
    peel,             // the first iterations, the last, or those before a symbolic point get a loop of their own
    unroll,           // a loop of fewer iterations repeats the body several times; another loop does the rest
    skew,             // shifts the variable of the inner of two loops by the outer one's, then interchanges them
    parallel,         // a loop becomes par
    vector,           // … vector or unrolled
    lanes,            // an innermost loop becomes an assignment of several lanes
    contract,         // an array keeps only the last cells of a dimension, indexed by modulo
    compute_at,       // a function is computed within its consumer's loop: in each iteration, the cells that it reads
    relayout,         // an array's dimensions are transposed, shifted or reversed
    inlining,         // a function's definition replaces reads of it
    value_let,        // memory is read before the statement that uses the value
    affine_let,       // an index gets a name
    reorder,          // two independent statements are swapped
    specialise,       // a statement is duplicated in both branches of a condition on the parameters
    allocate_if,      // an array is allocated only if it is not empty
    free_early,       // an array is freed after its last use
    assertion,        // asserts a consequence of the assumptions and the surrounding loops
};
inline constexpr std::size_t transformations = 24;
std::string_view name(Transformation transformation);  // "tile_guarded", …

}  // namespace haruspex::transform
