#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace haruspex::mutants::sched {

enum class MutationKind : std::uint8_t {
    index_off_by_one,      // an index of a read, or an affine let, is one more or less
    index_coefficient,     // a factor or divisor within an index is one more or less, or a variable is doubled
    indices_swapped,       // two neighbouring indices of a read or a write are swapped
    store_elsewhere,       // an index of a write is one more or less, or it goes to another array of the same shape
    loop_bound,            // a loop begins or ends one earlier or later
    loop_kind,             // a loop becomes one of another kind
    lane_count,            // one lane more or less
    lane_expression,       // a lane is replaced by the mirrored one or the first one, or by its neighbour
    guard_changed,         // a relation, a connective or a negation within a condition changes
    guard_dropped,         // a condition, or a part of a conjunction or disjunction, is dropped
    operator_replaced,     // a value's operator becomes another of the same types, or an accumulation's does
    operands_swapped,      // the operands of a value's operator, or the alternatives of a select, are swapped
    literal_changed,       // a number in a value is one more or less, or a truth is inverted
    allocation_size,       // an extent is one more or less
    allocation_condition,  // dropped, negated, or never
    free_moved,            // to an earlier position in its block
    free_dropped,
    let_moved,          // a value-let moves past a statement that stores
    statement_swapped,  // with the next one, if no kind above covers it
    statement_dropped,  // a statement, or one of several writes of an assignment
    statement_doubled,
    atomic_dropped,  // its statements are no longer atomic
    // Mutations of prophecies only, which never run: they do not change the meaning of the program.
    prophecy_index,
    prophecy_component,
    prophecy_dropped,
};
inline constexpr std::size_t mutation_kinds = 25;
std::string_view name(MutationKind kind);  // "index_off_by_one", …
// Whether it changes only ghost code.
bool is_of_prophecy(MutationKind kind);

}  // namespace haruspex::mutants::sched
