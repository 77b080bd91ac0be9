#pragma once

#include <isl/cpp.h>

#include <cstddef>
#include <optional>
#include <vector>

// Whether recurrences end, or at least never come back.
namespace haruspex::affine {

// That a point of one kind needs one of another, { [i] -> [j] }; kinds have numbers.
struct Descent {
    std::size_t from, to;
    isl::map step;
};

// A kind whose points may need others for ever; nothing when they cannot. An order is looked for in each strongly
// connected component: dimensions by position, each ascending or descending, so that no step goes up, steps that go
// down do so from where the dimension is bounded, and none is left that stays.
std::optional<std::size_t> find_endless(std::vector<Descent> steps);

// The same of a kind whose points may need themselves, in any number of steps: dimensions need not be bounded.
std::optional<std::size_t> find_cyclic(std::vector<Descent> steps);

}  // namespace haruspex::affine
