#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "generators/base/weights.h"
#include "generators/value/type.h"

// All probabilities by which programs are drawn, in one place. The probabilities of schedules belong to each compiler.
// A weight is a frequency relative to its neighbours; a field ending in per_mille is a probability in thousandths. Each
// program draws its own mix of weights (mixed() below), so that one program is all stencils and the next all casts, and
// rare combinations occur.
namespace haruspex::random {

// The index form of one dimension of an access.
enum class AccessKind : std::uint8_t {
    aligned,      // f(x)
    stencil,      // f(x + 1)
    transposed,   // f(y, x)
    diagonal,     // f(x, x), f(x + y)
    reversed,     // f(7 - x)
    strided,      // f(2*x + 1)
    downsampled,  // f(x / 2)
    broadcast,    // f(3)
    modulo,       // f(x % 4)
    clamped,      // f(max(min(x - 1, W - 1), 0))
    selected,     // f(select(x < 3, x, x - 1))
};
inline constexpr std::size_t access_kinds = 11;

enum class UpdateForm : std::uint8_t {
    accumulate,  // f(x) = f(x) op e(x, k)
    scan,        // f(x, k) = f(x, k - 1) op e
    in_place,    // f(x, 2*k) = f(x, k) op e
    scatter,     // f(x, k % 4) = f(x, k % 4) op e
    pointwise,   // f(x) = e(f(x), …), no recurrence variable
    boundary,    // f(x, 3) = e
};
inline constexpr std::size_t update_forms = 6;

// The root of a numeric expression.
enum class NumericForm : std::uint8_t {
    leaf,
    add,
    sub,
    mul,
    div,
    mod,
    min,
    max,
    select,
    cast,
    negate,
    absolute,
    bit_and,
    bit_or,
    bit_xor,
    bit_not,
    shift_left,
    shift_right,
    embed,
    reduce,
    average,              // T((wider(a) + wider(b) + 1) / 2)
    absolute_difference,  // max(a, b) - min(a, b), and its other spellings
    saturating_sum,       // T(min(wider(a) + wider(b), largest T))
    invariant_select,     // select over what is the same in all iterations
};
inline constexpr std::size_t numeric_forms = 24;

enum class BooleanForm : std::uint8_t {
    access,
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    logical_and,
    logical_or,
    logical_not,
    guard,
    cast,
    select,
};
inline constexpr std::size_t boolean_forms = 13;

// What the programs of a policy are.
enum class ProgramKind : std::uint8_t {
    affine,  // affine algorithms (program_builder.h)
    tensor,  // programs of whole tensors, translated (tensor_program.h)
};
inline constexpr std::array<ProgramKind, 2> all_program_kinds{ProgramKind::affine, ProgramKind::tensor};
constexpr std::string_view name(ProgramKind kind) { return kind == ProgramKind::affine ? "affine" : "tensor"; }

// The root of an expression over whole tensors.
enum class TensorForm : std::uint8_t { leaf, elementwise, scaling, outer, contraction, transposition };
inline constexpr std::size_t tensor_forms = 6;

// The probabilities of programs of whole tensors (generators/tensor/syntax.h).
struct TensorPolicy {
    int qualified_per_mille = 1000;  // inputs and outputs are declared as such
    std::size_t most_statements = 5;
    int another_statement_per_mille = 700;
    int another_output_per_mille = 300;  // a tensor that is not the last assigned
    int assigned_again_per_mille = 150;  // a statement assigns to a variable that exists
    int input_assigned_per_mille = 200;  // which may be an input
    std::size_t most_rank = 3;
    int first_dimension_per_mille = 930;  // a statement's tensor is no scalar
    int another_dimension_per_mille = 700;
    Weights<5> extent{2, 2, 7, 7, 1};  // 2, 3, N, M, N + 1
    int depth = 3;                     // of operators in an expression
    std::size_t most_inner_rank = 4;   // of operands of contractions
    Weights<tensor_forms> form{3, 4, 2, 4, 5, 3};
    int plain_statement_per_mille = 60;  // a statement may be a leaf alone
    int known_leaf_per_mille = 700;      // a leaf is a variable that exists already, if one has its type
    bool divides = true;
    bool divisors_are_inputs = true;  // each divisor is an input of its own, which has no zeros
    int scalar_divisor_per_mille = 300;
    int swapped_pair_per_mille = 200;  // . [2 1] rather than . [1 2]
    // Of cases:
    int outlined_per_mille = 800;  // sums are statements of their own, which schedules name
    // If all tensors are outputs, whose memory is the caller's, the last one is computed in a tensor that is then copied.
    int copied_per_mille = 950;
    int largest_extent = 24;
    Weights<4> size{42, 14, 6, 38};  // as Policy::size; multiples of 8 need no padding
};

struct Policy {
    ProgramKind programs = ProgramKind::affine;
    TensorPolicy tensor;

    // --- Programs ---
    Weights<6> tensors{32, 36, 19, 8, 3, 2};  // 1 … 6 defined tensors
    int long_chain_per_mille = 8;             // of the programs: many tensors (of_long_chains)
    std::int64_t shortest_long_chain = 10, longest_chain = 30;
    Weights<5> rank{5, 26, 42, 18, 9};  // 0 … 4
    Weights<3> inputs{62, 28, 10};      // 1 … 3 inputs
    // In the order of value::all_types; of those that the compiler has.
    Weights<13> types{8, 14, 9, 9, 6, 11, 9, 16, 7, 15, 8, 16, 7};
    int tuple_per_mille = 130;            // a tensor has two or three components
    int third_component_per_mille = 200;  // three rather than two
    int extra_output_per_mille = 125;     // a tensor before the last is an output; no other reads it
    Weights<access_kinds> access{30, 34, 5, 6, 6, 6, 5, 6, 6, 7, 4};
    int wide_offset_per_mille = 80;                   // a stencil offset beyond ±2
    int second_recurrence_parameter_per_mille = 350;  // a parametric recurrence extent is L rather than K
    int parametric_recurrence_per_mille = 500;
    int chained_per_mille = 750;            // a tensor may read the newest tensor that no other reads yet
    int another_source_per_mille = 450;     // it may also read one more tensor or input; drawn twice at most
    int one_arm_per_mille = 60;             // the newest unread tensor is read in one arm of an invariant select alone
    int one_arm_of_update_per_mille = 400;  // which is in an update, if there is one
    int read_if_false_per_mille = 500;
    int neighbours_per_mille = 120;  // two or three earlier tensors are read, each at two or three neighbouring cells
    int third_neighbour_per_mille = 400;
    int reversed_neighbours_per_mille = 300;  // of the dimensions that such reads have in common
    int special_values_per_mille = 850;  // a float input of a program with strict floats has NaN, infinities, zeros
    int full_range_per_mille = 500;      // an input whose type wraps has all values instead of small ones
    int input_near_end_per_mille = 30;   // an integer input has only values near one end of its type
    Weights<numeric_forms> numeric{60, 26, 16, 14, 8, 7, 9, 9, 11, 9, 4, 5, 5, 4, 4, 4, 5, 5, 8, 3, 1, 1, 1, 1};
    Weights<boolean_forms> boolean{14, 9, 7, 12, 8, 8, 7, 9, 9, 7, 18, 4, 3};
    Weights<6> expression_size{26, 30, 22, 13, 7, 2};  // operators in a right-hand side: 1 … 5, 12
    Weights<4> reduction_op{5, 2, 2, 2};               // sum, prod, min, max
    int true_per_mille = 500;                          // a literal of type bool is true
    int corner_literal_per_mille = 120;                // a literal whose type wraps is an extreme value of the type
    int literal_near_end_per_mille = 20;               // a literal of any numeric type is near an end of the type
    int literal_leaf_per_mille = 120;                  // a leaf is a literal although a source could be read
    int guard_leaf_per_mille = 500;                    // a bool that may have no operators is a condition on indices
    int cast_from_bool_per_mille = 150;
    int computed_shift_per_mille = 250;  // a shift's amount is computed, and masked
    int negative_shift_per_mille = 300;  // of a signed integer: the amount may be negative
    int low_end_per_mille = 500;         // of what is near an end of a signed type
    int rounded_average_per_mille = 500;
    int shifted_average_per_mille = 500;        // a >> 1 rather than a / 2
    int absolute_value_per_mille = 500;         // abs(a - b) rather than selections, of unsigned types
    int wider_difference_per_mille = 500;       // of operands in a wider type rather than of signed ones
    int selected_difference_per_mille = 500;    // select(a < b, b - a, a - b) rather than max(a, b) - min(a, b)
    int saturating_difference_per_mille = 400;  // rather than a sum
    int invariant_data_per_mille = 120;         // an invariant condition reads data rather than parameters
    int literal_divisor_per_mille = 600;
    int equality_of_bools_per_mille = 60;
    int random_names_per_mille = 50;   // all names are drawn (names.h)
    Weights<3> name{3, 3, 4};          // a word, a name with a suffix, a letter with a number
    int strict_float_per_mille = 370;  // of all programs, with or without floats
    int not_compared_per_mille = 10;   // a last function of type float is made inexact, unless floats are strict

    // --- Indices and conditions ---
    int antidiagonal_per_mille = 300;            // f(x - y) rather than f(x + y)
    int reversed_at_parameter_per_mille = 400;   // f(W - 1 - x) rather than f(7 - x)
    int broadcast_of_parameter_per_mille = 200;  // f(W) rather than f(3)
    int clamped_at_parameter_per_mille = 600;    // at W - 1 rather than at 8
    int recurrence_index_per_mille = 350;        // an index is over a recurrence or bound variable, if one is in scope
    int parameter_for_constant_per_mille = 500;  // an index without variables is a parameter
    int second_variable_per_mille = 350;         // an index of a condition has two variables
    int difference_per_mille = 400;              // the difference of the two rather than a sum
    int remainder_per_mille = 200;               // an index of a condition is a remainder
    int shifted_index_per_mille = 300;           // an index of a condition that is not a remainder has an offset
    int compared_with_index_per_mille = 350;     // rather than with a number
    int two_comparisons_per_mille = 220;
    int conjunction_per_mille = 500;  // rather than a disjunction of the two
    int negated_condition_per_mille = 120;

    // --- Updates ---
    Weights<4> updates{54, 34, 9, 3};  // 0 … 3 update definitions of a tensor
    Weights<update_forms> update{40, 16, 12, 10, 12, 10};
    int two_rvars_per_mille = 300;
    int swapped_rvars_per_mille = 500;
    int mirrored_scan_per_mille = 300;    // a scan goes from the last cell of its dimension to the first
    int wrapped_scatter_per_mille = 500;  // f(x, k % 4) rather than f(x, k)
    int last_boundary_per_mille = 500;    // a boundary is the last cell of its dimension rather than the first
    int predicate_per_mille = 220;
    int data_predicate_per_mille = 25;       // an update keeps the old value unless data meet a condition
    int pure_associative_per_mille = 700;    // an accumulation is exactly f = f op e, where e does not read f
    int flipped_per_mille = 150;             // such an accumulation is e op f rather than f op e
    int combines_old_value_per_mille = 600;  // in any other update the value is f op e rather than e
    int crossed_components_per_mille = 400;  // in any other update of a tuple, f in f op e is the next component
    Weights<9> accumulate_op{34, 8, 14, 14, 6, 6, 6, 6, 6};  // add mul min max && || ^ & |

    // --- Sizes ---
    Weights<4> size{30, 14, 28, 28};  // any, near the least, a multiple of 8, near a multiple of a split factor
    int constant_extent_per_mille = 220;
    int nonzero_min_per_mille = 300;
    int empty_domain_per_mille = 15;  // a parametric extent of a recurrence domain may be 0
    int largest_extent = 40;
    int largest_recurrence = 9;
    std::int64_t most_work = 40000;  // cells that the reference interpreter may evaluate
    std::int64_t most_input_cells = 100000;

    Mix mix;  // how the policy of one program is mixed
};

// The policy of a program that is a long chain: definitions are small, and regions grow by few cells from one tensor to
// the next, so that the chain stays cheap.
Policy of_long_chains(Policy policy);

// The policy of one program, with these types only: most groups are mixed (base/weights.h).
Policy mixed(Choices& choices, const Policy& policy, std::span<const value::Type> types);

}  // namespace haruspex::random
