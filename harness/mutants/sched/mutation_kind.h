#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace haruspex::mutants::sched {

enum class MutationKind : std::uint8_t {
    index_off_by_one,      // an index of a read, or an affine let, is one more or less
    index_coefficient,     // a factor or divisor within an index is one more or less, or a variable is doubled
    indices_swapped,       // two neighbouring indices of a read or a write are swapped
    store_elsewhere,       // an index of a write is one more or less, or the write goes to another array of that shape
    loop_bound,            // a loop begins or ends one earlier or later
    loop_kind,             // a loop becomes one of another kind
    lane_count,            // one lane more or less
    lane_expression,       // a lane is replaced by the mirrored lane, the first lane, or a neighbouring lane
    guard_changed,         // a relation, a connective or a negation within a condition changes
    guard_dropped,         // a condition, or a part of a conjunction or disjunction, is dropped
    operator_replaced,     // the operator of a value or an accumulation changes, or a unary operator is dropped
    operands_swapped,      // the operands of a value's operator, or the alternatives of a select, are swapped
    literal_changed,       // a number in a value is one more or less, or a truth is inverted
    allocation_size,       // an extent is one more or less
    allocation_condition,  // the condition is dropped or negated, or becomes false
    free_moved,            // a free moves to an earlier position in its block
    free_dropped,          // a free is dropped
    let_moved,             // a value-let moves past a statement that stores
    statement_swapped,     // a statement and the next one are swapped, if no kind above covers this
    statement_dropped,     // a statement, or one of several writes of an assignment, is dropped
    statement_doubled,     // a statement is done twice
    atomic_dropped,        // the statements of an atomic block are not atomic any more
    // Mutations of prophecies. Prophecies never run, so these do not change the meaning of the program.
    prophecy_index,
    prophecy_component,
    prophecy_dropped,
};
inline constexpr std::size_t mutation_kinds = 25;
std::string_view name(MutationKind kind);  // "index_off_by_one", …
// Whether mutations of this kind change only ghost code.
bool is_of_prophecy(MutationKind kind);

}  // namespace haruspex::mutants::sched
