#pragma once

#include "generators/sare/syntax.h"
#include "oracle/equivalence/graph.h"

namespace haruspex::equivalence {

// Builds the graph of a well-formed SARE: a node for each component of each equation; for the functions of an
// algorithm, for each component of each definition. A function's updates write to one array, in the algorithm's order,
// and a read sees the last write: the copies of sare/staging.h are never followed.
//
// Throws Unsupported for inline reductions (sare/outline.h), and for recurrences of general tensors that are not shown
// to terminate: there must be an order of dimensions, ascending or descending, in which each step descends
// lexicographically, in a dimension that is bounded where it descends.
void build(Graph& graph, const sare::Sare& sare);

}  // namespace haruspex::equivalence
