#pragma once

#include <isl/cpp.h>

#include <optional>
#include <string>
#include <vector>

#include "oracle/equivalence/from_sched.h"
#include "oracle/equivalence/graph.h"

// What has to hold of a SCHED program, so that its graph, in which everything runs in order, says what it computes:
//
//   accesses lie in their arrays, which are there and not yet freed; value-lets are read at lanes that they have; no
//   array is freed twice; assertions hold; of the iterations of a par loop, none reads what another one writes
//   (U-PARLOOP), and where two write one cell, they leave the same value there; the same of the lanes of an assignment,
//   none of which accumulate in one cell.
//
// The values are for the prover to compare.
namespace haruspex::equivalence {

struct Misconduct {
    std::string kind;  // "out_of_bounds_read", as the interpreter has it
    std::string statement;
    std::string where;  // the iterations
};

// The values are to be the same, in all pairs of iterations; the relation is symmetric.
struct SameValue {
    TermId first, second;
    isl::map relation;
    std::string kind, statement;
    // The array whose cells the two values are left in, if nothing in the program reads it: an output, of which each
    // may be shown to be what is specified instead. Both terms are reads of it.
    std::optional<ArrayId> never_read = {};
};

struct Conduct {
    std::vector<Misconduct> faults;  // the first of each kind and statement
    std::vector<SameValue> same;
};

// Adds nodes for what iterations leave to the graph.
Conduct examine(Graph& graph, const SchedProgram& program);

}  // namespace haruspex::equivalence
