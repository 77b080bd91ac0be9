#pragma once

#include "generators/sare/syntax.h"
#include "oracle/equivalence/graph.h"

namespace haruspex::equivalence {

// The graph of a well-formed SARE: a node for each component of each equation, and of each definition of a Halide
// function. A function's updates write to one array, in Halide's order, and a read sees the last one: the copies of
// staging.h are never walked along.
//
// Throws Unsupported for reductions that stay inline (outline.h), and for recurrences of general tensors of which it is
// not seen that they end: there has to be an order of dimensions, ascending or descending, in which each step goes back
// lexicographically, from where it is bounded.
void build(Graph& graph, const sare::Sare& sare);

}  // namespace haruspex::equivalence
