#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/choice.h"
#include "harness/sched/syntax.h"

// Single mutations of SCHED programs: one error of a kind that a lowering might make, to measure what the oracles find.
// A mutated program is well-typed by the extended rules and differs from the original, but may mean the same. The
// arrays of the program are its interface and do not change.
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

struct Mutation {
    MutationKind kind = MutationKind::index_off_by_one;
    std::size_t statement = 0;  // its number in textual order, inner statements included
    std::size_t change = 0;     // the number of the change among all that the statement suggests, well-typed or not
    std::string sentence;       // "`x` becomes `x + 1` in `f[x] := in[x]`"

    bool operator==(const Mutation&) const = default;
};

// Returns all single mutations of a well-typed program, in textual order; the same program gives the same list.
std::vector<Mutation> mutations(const haruspex::sched::Program& program);

// Returns the mutated program. The mutation must be one of this very program (ENSURE, as far as it can be checked).
haruspex::sched::Program apply(const haruspex::sched::Program& program, const Mutation& mutation);

// Returns a mutation of an admitted kind; all kinds that occur are equally likely. nullopt if there is none, or if the
// program has more than 150,000 characters. For a long program this is much faster than listing all mutations.
std::optional<Mutation> random_mutation(
    const haruspex::sched::Program& program, Choices& choices,
    const std::function<bool(MutationKind)>& admits = [](MutationKind) { return true; });

}  // namespace haruspex::mutants::sched
