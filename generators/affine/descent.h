#pragma once

#include <isl/cpp.h>

#include <cstddef>
#include <optional>
#include <vector>

// Whether recurrences end, or at least never return to a point.
namespace haruspex::affine {

// A point of kind `from` needs the points of kind `to` that the step { [i] -> [j] } relates it to. Kinds are numbered.
struct Descent {
    std::size_t from, to;
    isl::map step;
};

// Returns a kind whose points may need others for ever; nullopt if there is none. An order is sought in each strongly
// connected component: dimensions by position, each ascending or descending. No step may go up in a dimension, steps
// that go down must start where the dimension is bounded, and no step may stay the same in all of them.
std::optional<std::size_t> find_endless(std::vector<Descent> steps);

// Returns a kind whose points may need themselves, in any number of steps; dimensions need not be bounded.
std::optional<std::size_t> find_cyclic(std::vector<Descent> steps);

}  // namespace haruspex::affine
