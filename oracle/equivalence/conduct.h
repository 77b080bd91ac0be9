#pragma once

#include <isl/cpp.h>

#include <optional>
#include <string>
#include <vector>

#include "oracle/equivalence/from_sched.h"
#include "oracle/equivalence/graph.h"

// The graph of a SCHED program (from_sched.h) describes a run in which all loops run in order. It describes the results
// of every run if
//
//   accesses lie in their arrays, which are allocated and not yet freed;
//   no input is written, and no array is freed twice;
//   value-lets are read at lanes that they have;
//   assertions hold;
//   no iteration of a par loop reads a cell that another one writes (U-PARLOOP);
//   iterations, or lanes, that write one cell leave the same value in it, and lanes do not accumulate in one cell.
//
// The prover compares the values.
namespace haruspex::equivalence {

struct Violation {
    std::string kind;  // "out_of_bounds_read", as in the interpreter
    std::string statement;
    std::string where;  // the iterations
};

// An obligation for the prover: the two values are the same for all pairs of iterations in the relation.
struct SameValue {
    TermId first, second;
    isl::map relation;
    std::string kind, statement;
    // Set if the two values are in an output array that the program never reads. Then it suffices to show that each of
    // them is the specified value. Both terms are then reads of the array, and the relation is symmetric, so it
    // suffices to look at the first.
    std::optional<ArrayId> never_read = {};
};

struct Conduct {
    std::vector<Violation> faults;  // the first of each kind and statement
    std::vector<SameValue> same;
};

// Checks these conditions, and returns those on values for the prover. Adds nodes to the graph for the values that
// iterations leave. Throws Unsupported if an array from outside a par loop is freed in it.
Conduct examine(Graph& graph, const SchedProgram& program);

}  // namespace haruspex::equivalence
