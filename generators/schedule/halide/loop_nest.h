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
    bool is_rvar = false;                // stems from a recurrence variable (also after split and fuse)
    bool reorder_safe = true;            // rvars: whether Halide proves that its iterations may be reordered
    bool taken_for_safe = false;         // rvars: Halide still takes it for reorder_safe after rfactor made this untrue
    std::optional<std::int64_t> extent;  // if constant in the stage itself, as for the inner loop of a split
    std::string path;                    // Halide's own name: "x.xo" for the outer loop xo of a split of x
    std::size_t marked_by = 0;           // the directive that set the kind
    bool operator==(const Loop&) const = default;
};

// The number of iterations of a loop, if it is constant.
struct Extent {
    std::int64_t iterations = 1;
    // If false, the loop may run less often, for example where a tail strategy guards the end: Halide proves only the
    // upper bound, which is enough to unroll the loop.
    bool is_exact = true;
};

// One stage's loop nest, innermost loop first.
struct StageNest {
    std::vector<Loop> loops;
    bool atomic = false;
    bool operator==(const StageNest&) const = default;
};

}  // namespace haruspex::schedule::halide
