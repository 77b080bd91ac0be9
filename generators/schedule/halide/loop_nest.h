#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace haruspex::schedule::halide {

enum class LoopKind { serial, parallel, vectorized, unrolled };

struct Loop {
    // The name that directives use. Empty for a loop that Halide names itself: the new loop of vectorize, unroll and
    // parallel with a factor.
    std::string var;
    LoopKind kind = LoopKind::serial;
    bool is_rvar = false;                // stems from a recurrence variable, possibly by split and fuse
    bool reorder_safe = true;            // of an rvar: the iterations may be reordered, as Halide proves
    bool taken_for_safe = false;         // of an rvar: Halide takes it for reorder_safe, but rfactor made it unsafe
    std::optional<std::int64_t> extent;  // if constant whatever region is required, as for the inner loop of a split
    std::string path;                    // Halide's own name: "x.xo" for the outer loop xo of a split of x
    std::size_t marked_by = 0;           // the directive that set the kind
    std::optional<std::size_t> always_partitioned_by;  // the directive that set Partitioning::always
    bool operator==(const Loop&) const = default;
};

// A constant number of iterations of a loop.
struct Extent {
    std::int64_t iterations = 1;
    // If false, `iterations` is only an upper bound, for example because a tail strategy guards the end. An upper bound
    // is enough to unroll the loop.
    bool is_exact = true;
};

// One stage's loop nest, innermost loop first.
struct StageNest {
    std::vector<Loop> loops;
    bool atomic = false;
    bool operator==(const StageNest&) const = default;
};

}  // namespace haruspex::schedule::halide
