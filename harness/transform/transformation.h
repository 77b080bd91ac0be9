#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// The legal transformations of SCHED programs.
namespace haruspex::transform {

enum class Transformation : std::uint8_t {
    tile_guarded,     // a loop becomes two; the last tile's iterations beyond the end are left out by a branch
    tile_bounded,     // … by the bound of the inner loop
    tile_shifted,     // … the last tile begins earlier and does some iterations again
    tile_rounded_up,  // … all of them are done, in arrays that have room for what they write
    interchange,      // of two loops, one of which is all of the other's body
    fission,          // a loop becomes two, each with a part of the body
    fusion,           // two loops become one, the second delayed by as many iterations as it must
    peel,             // the first iterations, or the last, or those before a symbolic point, get a loop of their own
    unroll,           // the body several times in a loop of fewer iterations, and a loop for the rest
    skew,             // of two loops, the inner one's variable is shifted by the outer one's; then interchanged
    parallel,         // a loop becomes par
    vector,           // … vector or unrolled
    lanes,            // an innermost loop becomes an assignment of several lanes
    contract,         // an array keeps but the last cells of a dimension, found by modulo
    compute_at,       // a function is computed within its consumer's loop, in each iteration what that reads
    relayout,         // an array's dimensions are transposed, shifted or reversed
    inlining,         // a function's definition takes the place of reads of it
    value_let,        // a read of memory is done before its statement
    affine_let,       // an index gets a name
    reorder,          // two statements that have nothing to do with each other are swapped
    specialise,       // a statement is there twice, in both branches of a condition on the parameters
    allocate_if,      // an array is allocated only if something is in it
    free_early,       // an array is freed after its last use
    assertion,        // of what follows from the assumptions and the loops around
};
inline constexpr std::size_t transformations = 24;
std::string_view name(Transformation transformation);  // "tile_guarded", …

}  // namespace haruspex::transform
