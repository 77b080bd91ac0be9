#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/choice.h"
#include "harness/sched/syntax.h"

// Single mutations of SCHED programs: one thing made wrong, the way a lowering might get it wrong, to measure what the
// oracles find. A mutated program is well-typed by the extended rules and differs from the original; it may well mean
// the same. The arrays of the program are its interface and stay as they are.
namespace haruspex::mutants::sched {

enum class MutationKind : std::uint8_t {
    index_off_by_one,      // an index of a read, or an affine let, is one more or less
    index_coefficient,     // a factor or divisor within an index is one more or less, or a variable is doubled
    indices_swapped,       // two neighbouring indices of a read or a write
    store_elsewhere,       // an index of a write is one more or less, or it goes to another array of the same shape
    loop_bound,            // a loop begins or ends one earlier or later
    loop_kind,             // a loop becomes one of another kind
    lane_count,            // one lane more or less
    lane_expression,       // a lane is replaced by the mirrored one or the first one, or by its neighbour
    guard_changed,         // a relation, a connective or a negation within a condition
    guard_dropped,         // a condition, or a part of a conjunction or disjunction
    operator_replaced,     // of a value, by another of the same types; or of an accumulation
    operands_swapped,      // of a value's operator, or the alternatives of a select
    literal_changed,       // a number of a value is one more or less, or a truth is the opposite
    allocation_size,       // an extent is one more or less
    allocation_condition,  // dropped, negated, or never
    free_moved,            // to an earlier place in its block
    free_dropped,
    let_moved,          // a value-let moves past a statement that stores
    statement_swapped,  // with the next one, where none of the above says so
    statement_dropped,  // or one of several writes of an assignment
    statement_doubled,
    atomic_dropped,  // its statements are no longer atomic
    // Of prophecies alone, which never run: these change no verdict.
    prophecy_index,
    prophecy_component,
    prophecy_dropped,
};
inline constexpr std::size_t mutation_kinds = 25;
std::string_view name(MutationKind kind);  // "index_off_by_one", …
// Whether it changes nothing but ghost code.
bool is_of_prophecy(MutationKind kind);

struct Mutation {
    MutationKind kind = MutationKind::index_off_by_one;
    std::size_t statement = 0;  // its number in the order of the text, what is inside statements counted
    std::size_t change = 0;     // the number of the change among all that the statement suggests, well-typed or not
    std::string sentence;       // "`x` becomes `x + 1` in `f[x] := in[x]`"

    bool operator==(const Mutation&) const = default;
};

// Every single mutation of a well-typed program, in the order of the text; the same program gives the same list.
std::vector<Mutation> mutations(const haruspex::sched::Program& program);

// The mutated program; the mutation is one of this very program (ENSURE, as far as it can be told).
haruspex::sched::Program apply(const haruspex::sched::Program& program, const Mutation& mutation);

// One of those of an admitted kind, each kind that is there as likely as the others; nothing when there is none, or the
// program has more than 150,000 characters. In a long program this is much faster than to list all.
std::optional<Mutation> random_mutation(
    const haruspex::sched::Program& program, Choices& choices,
    const std::function<bool(MutationKind)>& admits = [](MutationKind) { return true; });

}  // namespace haruspex::mutants::sched
