#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "harness/mutants/sched/mutation_kind.h"
#include "harness/sched/syntax.h"

// Mutations of SCHED programs, to measure what the oracles find. A mutation makes a single error, of a kind that a
// lowering might make. A mutated program is well-typed by the extended rules and differs from the original, but may
// have the same meaning. The arrays of the program are its interface and do not change.
namespace haruspex::mutants::sched {

struct Mutation {
    MutationKind kind = MutationKind::index_off_by_one;
    std::size_t statement = 0;  // the statement's number in textual order, inner statements included
    std::size_t change = 0;     // the number of the change among all that the statement suggests, well-typed or not
    std::string sentence;       // "`x` becomes `x + 1` in `f[x] := in[x]`"

    bool operator==(const Mutation&) const = default;
};

// Returns all mutations of a well-typed program, in textual order. The same program gives the same list.
std::vector<Mutation> mutations(const haruspex::sched::Program& program);

// Returns the mutated program. The mutation must be one of this very program (ENSURE, as far as it can be checked).
haruspex::sched::Program apply(const haruspex::sched::Program& program, const Mutation& mutation);

// Returns a mutation of a kind that `admits` accepts; all such kinds that occur are equally likely. nullopt if there is
// no such mutation, or if the program's text has more than 150,000 characters. For a long program this is much faster
// than listing all mutations.
std::optional<Mutation> random_mutation(
    const haruspex::sched::Program& program, Choices& choices,
    const std::function<bool(MutationKind)>& admits = [](MutationKind) { return true; });

}  // namespace haruspex::mutants::sched
