#pragma once

#include <isl/cpp.h>

#include <optional>
#include <vector>

#include "oracle/equivalence/graph.h"

namespace haruspex::equivalence {

struct DescentEdge {
    NodeId from, to;
    isl::map step;  // { from[i] -> to[j] }
};

// A node from which the edges may lead on for ever; nothing when they cannot. An order is looked for in each strongly
// connected component: dimensions by position, each ascending or descending, so that no edge goes up, edges that go
// down do so from where the dimension is bounded, and none is left that stays.
std::optional<NodeId> find_endless(const Graph& graph, std::vector<DescentEdge> edges);

}  // namespace haruspex::equivalence
