#pragma once

#include <isl/cpp.h>

#include <optional>
#include <string>
#include <vector>

#include "oracle/equivalence/from_sched.h"
#include "oracle/equivalence/graph.h"

// The conditions under which the graph of a SCHED program, in which everything runs in order, describes its results:
//
//   accesses lie in their arrays, which are allocated and not yet freed; value-lets are read at lanes that they have;
//   no array is freed twice; assertions hold; no iteration of a par loop reads what another one writes (U-PARLOOP),
//   and if two write one cell, they leave the same value there; the same for the lanes of an assignment, none of
//   which accumulate in one cell.
//
// The prover compares the values.
namespace haruspex::equivalence {

struct Misconduct {
    std::string kind;  // "out_of_bounds_read", as in the interpreter
    std::string statement;
    std::string where;  // the iterations
};

// An obligation for the prover: the two values are the same for all pairs of iterations; the relation is symmetric.
struct SameValue {
    TermId first, second;
    isl::map relation;
    std::string kind, statement;
    // The array that holds the two values, if the program never reads it: an output. Then it is enough to show that
    // each value is the specified one. Both terms are reads of the array.
    std::optional<ArrayId> never_read = {};
};

struct Conduct {
    std::vector<Misconduct> faults;  // the first of each kind and statement
    std::vector<SameValue> same;
};

// Checks these conditions. Adds nodes to the graph for the values that iterations leave.
Conduct examine(Graph& graph, const SchedProgram& program);

}  // namespace haruspex::equivalence
