#pragma once

#include "generators/sare/syntax.h"
#include "oracle/equivalence/graph.h"

namespace haruspex::equivalence {

// Builds the graph of a well-formed SARE: a node for each component of each equation; for the functions of an
// algorithm, for each component of each definition. A function's updates write to one array, in the algorithm's order,
// and a read sees the last write: the copies of sare/staging.h are never followed.
//
// Throws Unsupported for inline reductions (sare/outline.h), and for recurrences of general tensors that are not shown
// to terminate (generators/affine/descent.h). To show it, dimensions are ordered, each ascending or descending, such
// that each step goes down lexicographically, and the dimension in which it goes down is bounded below where the step
// starts.
void build(Graph& graph, const sare::Sare& sare);

}  // namespace haruspex::equivalence
