#pragma once

#include <cstddef>
#include <cstdint>

#include "generators/base/weights.h"

// All probabilities by which Halide's schedules are drawn; the conventions are those of random/policy.h.
namespace haruspex::schedule::halide {

enum class LoopForm : std::uint8_t {
    split,
    tile,
    fuse,
    reorder,
    vectorize,
    vectorize_by,
    unroll,
    unroll_by,
    parallel,
    parallel_by,
    serial
};
inline constexpr std::size_t loop_forms = 11;

enum class Placement : std::uint8_t { automatic, inlined, root, at };
inline constexpr std::size_t placements = 4;

struct Policy {
    Weights<placements> placement{10, 22, 26, 42};
    int store_level_per_mille = 550;                      // a tensor computed at a loop has a store level of its own
    int store_root_per_mille = 250;                       // which is the root although a loop would be possible
    Weights<7> loop_directives{26, 32, 24, 11, 4, 2, 1};  // 0 … 6 loop directives of a stage
    int many_directives_per_mille = 5;                    // a stage has 8 … 14 of them
    Weights<loop_forms> loop{26, 13, 9, 15, 12, 14, 7, 8, 10, 6, 4};
    Weights<9> tail{24, 16, 17, 10, 7, 2, 15, 5, 5};  // in the order of schedule::halide::Tail
    Weights<6> factor{20, 12, 30, 8, 23, 7};          // 2, 3, 4, 5, 8, 16
    int second_vector_loop_per_mille = 60;            // a stage with a vectorized loop may get another
    // A loop whose extent is constant because the tensor is computed inside a tile of its reader is vectorized or
    // unrolled as a whole. Drawn for each stage that has such loops.
    int whole_tile_per_mille = 350;
    // Compile time grows with the code copied by lanes and unrolling, run time with the cells of rounded-up tiles.
    std::int64_t most_copies = 24;
    std::int64_t most_tile_cells = 256;
    int split_marked_per_mille = 12;        // of the stages: a loop is split, marked, and split again
    int vectors_over_both_per_mille = 120;  // of the updates: loops over recurrence and pure variables are vectorized
    int unrolled_tile_per_mille = 500;      // unrolled rather than vectorized, if the stage has loops for both
    int fused_neighbours_per_mille = 800;   // a fuse joins neighbouring loops rather than any two
    int rfactor_per_mille = 450;            // of the updates with recurrence variables; kept if admitted
    int late_rfactor_per_mille = 100;       // one to three other directives come first
    int another_before_rfactor_per_mille = 500;
    int split_rfactor_per_mille = 700;     // a recurrence variable is split before rfactor
    int outer_rfactor_per_mille = 500;     // then rfactor preserves the outer loop rather than the inner one
    int atomic_per_mille = 300;            // of the updates of tensors that are not outputs; kept if admitted
    int atomic_output_per_mille = 60;      // of the updates of outputs: with padded strides, many hang in Halide
    int unchecked_atomic_per_mille = 200;  // an atomic update is exempt from Halide's check of associativity
    int bound_per_mille = 70;
    int bound_extent_per_mille = 45;
    int bound_internal_per_mille = 100;         // of the tensors that are not outputs, by exactly what is required
    int bound_internal_extent_per_mille = 300;  // bound_extent rather than bound
    int wider_bound_per_mille = 300;            // one to three cells more
    int align_bounds_per_mille = 70;
    int align_output_bounds_per_mille = 70;
    int align_remainder_per_mille = 300;
    int reorder_storage_per_mille = 90;
    int line_buffer_per_mille = 600;       // a tensor is folded along its reader's loop, if admitted
    int line_buffer_root_per_mille = 400;  // it is then stored at the root although a loop would be possible
    int backward_fold_per_mille = 200;
    int fold_storage_per_mille = 380;   // of the tensors that are not outputs; kept if admitted
    int align_storage_per_mille = 150;  // of the tensors with storage of their own
    // Of the stages of tensors that are not outputs: a loop over a dimension is rounded up, whatever else is drawn.
    int padded_per_mille = 0;
    Weights<3> padded_loop{5, 3, 2};                  // vectorized, unrolled, split
    Weights<6> padded_factor{4, 20, 14, 20, 28, 14};  // as factor; few of them divide
    bool rounds_outputs_up = true;  // else splits of outputs have no tail that asks for sizes that the factor divides
    int specialize_per_mille = 60;  // of the stages
    int async_per_mille = 90;       // of the tensors that are not inlined; kept if admitted
    int compute_with_per_mille = 700;  // of the pairs of tensors that are not inlined; kept if admitted
    int most_compute_with = 25;        // pairs that are tried, on average
    // Two tensors that do not depend on each other, one with updates, are left plain, so that stages of them can share
    // loops.
    int companions_per_mille = 250;
    int swapped_companions_per_mille = 500;
    int prefetch_per_mille = 60;       // of the stages; kept if admitted
    int far_prefetch_per_mille = 400;  // counts from a loop outside the one where it is
    Weights<3> fetch_bound{4, 3, 3};   // guard_with_if, clamp, non_faulting
    Weights<4> align{6, 2, 2, 2};      // automatic, start, end, none
    int interleave_per_mille = 400;    // the directives of different tensors are shuffled into each other
    // Only for versions that have the directives; kept if admitted.
    int hoist_storage_per_mille = 400;         // of the tensors that are stored in a loop
    int ring_buffer_per_mille = 500;           // of the tensors whose storage is hoisted
    int async_ring_per_mille = 400;            // of the tensors with a ring buffer: their producer runs ahead
    int always_partition_all_per_mille = 600;  // of the stages whose loops may all be partitioned
    int partition_per_mille = 200;             // of the others
    Weights<3> partitioning{1, 5, 4};          // automatic, never, always; the last if a loop may be partitioned
    int never_partition_all_per_mille = 250;   // of what is never partitioned: all loops at once
    int several_partitions_per_mille = 500;    // otherwise: a list of loops rather than one
    Mix mix;                                   // how the policy of one program's schedules is mixed
};

// The policy of schedules that pad: tensors have storage of their own, whose extents are rounded up by splits and
// alignments. Outputs cannot be padded, since their memory is the caller's; their splits leave sizes free, so that few
// factors divide extents.
Policy padding_policy();

// Draws the policy of one program's schedules: mixes some of its weights (mix() in base/weights.h).
Policy mixed(Choices& choices, const Policy& policy);

}  // namespace haruspex::schedule::halide
