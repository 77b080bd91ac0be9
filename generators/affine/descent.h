#pragma once

#include <isl/cpp.h>

#include <cstddef>
#include <optional>
#include <vector>

// Whether recurrences end, or at least never return to a point.
namespace haruspex::affine {

// A point i of kind `from` needs each point j of kind `to` for which i -> j is in `step`. Kinds are numbers.
struct Descent {
    std::size_t from, to;
    isl::map step;  // { [i] -> [j] }
};

// Returns a kind whose points may need others for ever; nullopt if there is none. Seeks a lexicographic order in each
// strongly connected component of the kinds. In each round picks a dimension, by its position, and a direction
// (ascending or descending), such that no step goes up in it, and every step that goes down in it starts where the
// dimension is bounded below. The steps that go down are then removed. The order is found when no cycle of steps is
// left.
std::optional<std::size_t> find_endless(std::vector<Descent> steps);

// Returns a kind with points that may need themselves after some steps; nullopt if there is none. Dimensions need not
// be bounded.
std::optional<std::size_t> find_cyclic(std::vector<Descent> steps);

}  // namespace haruspex::affine
