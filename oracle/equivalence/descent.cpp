#include "oracle/equivalence/descent.h"

#include <algorithm>
#include <set>

#include "generators/affine/sets.h"

namespace haruspex::equivalence {
namespace {

// { node[i] -> [i_d] }
isl::map dimension(const Node& node, unsigned d) {
    return isl::multi_pw_aff(isl::pw_aff(node.domain.space().identity_multi_aff_on_domain().at(static_cast<int>(d))))
        .as_map();
}

// The pairs of an edge whose dimension d compares so: "v > w".
isl::map where(const Graph& graph, const DescentEdge& edge, unsigned d, const char* comparison) {
    const isl::map compared(graph.ctx(), std::string("{ [v] -> [w] : ") + comparison + " }");
    return edge.step.intersect(dimension(graph.node(edge.from), d)
                                   .apply_range(compared)
                                   .apply_range(dimension(graph.node(edge.to), d).reverse()));
}

// Takes away what goes down in this dimension. False, and nothing is taken, when something goes up, or down for ever.
bool take(const Graph& graph, std::vector<DescentEdge>& edges, unsigned d, bool ascending) {
    const isl::set far(graph.ctx(), ascending ? "{ [v] : v <= 0 }" : "{ [v] : v >= 0 }");
    std::vector<DescentEdge> staying;
    bool takes = false;
    for (const DescentEdge& edge : edges) {
        if (!where(graph, edge, d, ascending ? "v < w" : "v > w").is_empty()) { return false; }
        const isl::map down = where(graph, edge, d, ascending ? "v > w" : "v < w");
        if (!down.is_empty()) {
            if (!affine::is_bounded(down.domain().apply(dimension(graph.node(edge.from), d)).intersect(far))) {
                return false;
            }
            takes = true;
        }
        const isl::map same = where(graph, edge, d, "v = w");
        if (!same.is_empty()) { staying.push_back({edge.from, edge.to, same}); }
    }
    if (takes) { edges = std::move(staying); }
    return takes;
}

// The nodes that the edges lead to from a node.
std::set<NodeId> reached(NodeId from, const std::vector<DescentEdge>& edges) {
    std::set<NodeId> found;
    std::vector<NodeId> open{from};
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        for (const DescentEdge& edge : edges) {
            if (edge.from == node && found.insert(edge.to).second) { open.push_back(edge.to); }
        }
    }
    return found;
}

// Edges between nodes that reach each other; the others are walked along once.
std::vector<DescentEdge> within_cycles(const std::vector<DescentEdge>& edges) {
    std::vector<DescentEdge> result;
    for (const DescentEdge& edge : edges) {
        if (edge.to == edge.from || reached(edge.to, edges).contains(edge.from)) { result.push_back(edge); }
    }
    return result;
}

bool ends(const Graph& graph, std::vector<DescentEdge> edges) {
    for (bool takes = true; takes && !edges.empty();) {
        takes = false;
        unsigned rank = graph.node(edges[0].from).domain.tuple_dim();
        for (const DescentEdge& edge : edges) {
            rank = std::min({rank, graph.node(edge.from).domain.tuple_dim(), graph.node(edge.to).domain.tuple_dim()});
        }
        for (unsigned d = 0; d < rank && !takes; ++d) {
            takes = take(graph, edges, d, true) || take(graph, edges, d, false);
        }
        edges = within_cycles(edges);
    }
    return edges.empty();
}

}  // namespace

std::optional<NodeId> find_endless(const Graph& graph, std::vector<DescentEdge> edges) {
    edges = within_cycles(edges);
    while (!edges.empty()) {
        const NodeId node = edges[0].from;
        const std::set<NodeId> component = reached(node, edges);
        std::vector<DescentEdge> inside;
        std::erase_if(edges, [&](const DescentEdge& edge) {
            if (!component.contains(edge.from)) { return false; }
            inside.push_back(edge);
            return true;
        });
        if (!ends(graph, std::move(inside))) { return node; }
    }
    return std::nullopt;
}

}  // namespace haruspex::equivalence
