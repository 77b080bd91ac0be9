#pragma once

#include <array>
#include <cstdint>

#include "harness/transform/transformation.h"

// All probabilities of the random SCHED programs, in one place. A weight is a frequency relative to its neighbours; a
// field ending in per_mille is a probability in thousandths.
namespace haruspex::transform {

template <std::size_t N>
using Weights = std::array<int, N>;

// The form of the index in one dimension of an access.
enum class AccessKind : std::uint8_t { aligned, stencil, reversed, strided, halved, clamped, modulo };
inline constexpr std::size_t access_kinds = 7;

enum class UpdateForm : std::uint8_t {
    accumulate,  // f(x) = f(x) op e(x, r)
    scan,        // f(x, r) = f(x, r - 1) op e
    pointwise,   // f(x) = f(x) op e
    boundary,    // f(x, 2) = f(x, 2) op e
    scatter,     // f(x, r % 3) = f(x, r % 3) op e
};
inline constexpr std::size_t update_forms = 5;

struct Policy {
    // --- Specifications ---
    Weights<4> functions{24, 40, 25, 11};       // 1 … 4 functions
    Weights<3> axes{30, 48, 22};                // 1 … 3 axes: ranges over which tensors extend
    Weights<4> rank{3, 42, 47, 8};              // 0 … 3
    Weights<2> inputs{60, 40};                  // 1 or 2 inputs
    Weights<6> types{40, 14, 12, 20, 8, 6};     // i32, u8, u32, f32, i16, i64
    Weights<5> least_size{12, 52, 14, 12, 10};  // the least size of an axis: 0, 1, 2, 4, 8
    Weights<access_kinds> access{50, 36, 4, 3, 2, 3, 2};
    Weights<4> operators{22, 42, 26, 10};  // 0 … 3 operators in a right-hand side
    Weights<3> updates{58, 33, 9};         // 0 … 2 updates of a function
    Weights<update_forms> update{44, 24, 16, 8, 8};
    int tuple_per_mille = 110;
    int constant_size_per_mille = 70;      // an axis other than the first has a constant size
    int symbolic_minimum_per_mille = 120;  // the minimum of an axis is a parameter
    int divisible_per_mille = 50;          // a size is assumed to be a multiple of 4
    int shifted_output_per_mille = 150;
    int second_recurrence_per_mille = 250;
    int where_per_mille = 250;
    int new_axis_per_mille = 700;         // a recurrence runs over an axis over which the function does not extend
    int where_remainder_per_mille = 300;  // a predicate is about a remainder rather than two variables
    int where_below_per_mille = 500;      // one variable is below the other, rather than above
    Weights<4> step{60, 10, 20, 10};      // operator of an update: +, -, max, min
    Weights<7> form{50, 18, 12, 10, 10, 10, 6};  // form of an expression: +, -, max, min, product, multiple, select
    Weights<3> leaf{80, 12, 8};                  // access, literal, index
    int self_mul_per_mille = 300;                // an update combines with a product, as in a matrix product

    // --- Transformations ---
    Weights<6> count{6, 14, 22, 24, 20, 14};  // 1 … 6 transformations
    Weights<transformations> transformation{14, 12, 10, 10, 14, 22, 22, 14, 10, 12, 12, 10, 14, 50,
                                            40, 14, 20, 10, 8,  10, 8,  10, 8,  8,  0,  0,  0};
    bool reorders_reductions = false;        // steps of a reduction may run in any order
    int atomic_per_mille = 700;              // then iterations of a parallel loop accumulate into one cell
    int earlier_read_per_mille = 500;        // a value-let that reads memory for a statement moves up past another
                                             // statement
    int idle_delay_per_mille = 150;          // loops that can be fused without a delay may get one
    int wavefront_per_mille = 700;           // a skewed nest that may run by wavefronts does so
    int unrolled_per_mille = 300;            // a loop that may not be vectorised is unrolled
    int deeper_per_mille = 400;              // a producer is computed one loop deeper
    int interchanged_first_per_mille = 350;  // to contract an array, loops are interchanged before loops are fused
    int fused_again_per_mille = 350;         // to contract an array, loops are fused twice
    int let_index_per_mille = 250;           // the index of a new loop becomes a let
    Weights<4> peeling{34, 34, 16, 16};      // after a few iterations, before the last few, in halves, at a parameter
    Weights<3> specialisation{50, 30, 20};   // a parameter is at least a number, a multiple of it, equal to it
    Weights<3> storage{45, 35, 20};          // two dimensions are swapped; one is shifted, mirrored
    std::size_t most_statements = 30;
    int most_depth = 8;  // nesting depth of statements
};

// Many reductions whose order does not matter, and many transformations that change it.
inline Policy reordering_policy() {
    Policy policy;
    policy.types = {4, 26, 38, 2, 30, 0};
    policy.updates = {6, 70, 24};
    policy.update = {80, 4, 4, 2, 10};
    policy.second_recurrence_per_mille = 500;
    policy.transformation = {14, 12, 10, 6, 60, 22, 22, 14, 10, 12, 44, 10, 14, 16,
                             20, 8,  10, 6, 4,  10, 8,  4,  6,  4,  90, 60, 70};
    policy.reorders_reductions = true;
    return policy;
}

}  // namespace haruspex::transform
