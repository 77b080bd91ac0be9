#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/sare/algorithm.h"

// The touched cells of each function, as one interval per dimension, by interval arithmetic on indices. An
// over-approximation of the outputs' demand. Parameters range over intervals too, so one analysis covers all sizes of a
// case.
namespace haruspex::random {

struct Interval {
    std::int64_t low = 0, high = 0;  // both included; empty when low > high
    bool is_empty() const { return low > high; }
    bool operator==(const Interval&) const = default;
};

Interval hull(const Interval& a, const Interval& b);
Interval intersection(const Interval& a, const Interval& b);

using Intervals = std::map<std::string, Interval>;  // variable or parameter -> its values

// The intervals that contain just each parameter's size.
Intervals intervals_of(const Sizes& sizes);

Interval evaluate(const sare::Index& index, const Intervals& variables);

struct Regions {
    std::map<std::string, std::vector<Interval>> touched;  // by function and input
    std::map<std::string, std::vector<Interval>> boxes;    // by output: the requested cells
};

// Touched cells of all functions and inputs. As in bounds inference by boxes, an update touches all cells that it
// writes and reads, even unneeded ones.
Regions infer_regions(const sare::Algorithm& algorithm, const Intervals& parameters);

// The first output, in the system's order, that is touched outside its requested box: a buffer of the requested size is
// too small for it. nullopt if there is none.
std::optional<std::string> output_touched_outside(const sare::Algorithm& algorithm, const Intervals& parameters);

// The variables of an update for the given region of its function: pure and recurrence variables with their values.
Intervals update_variables(const sare::Function& function, const sare::UpdateDefinition& update,
                           const std::vector<Interval>& region, const Intervals& parameters);
Intervals pure_variables(const sare::Function& function, const std::vector<Interval>& region,
                         const Intervals& parameters);

// An upper bound of the number of points of the update's recurrence domain.
std::int64_t steps(const sare::UpdateDefinition& update, const Intervals& parameters);

// Upper bounds of a case's cost.
struct Cost {
    std::int64_t evaluations = 0;  // cells that the reference evaluates
    std::int64_t input_cells = 0;  // cells of the inputs' hulls, which the compiler requires
    bool operator==(const Cost&) const = default;
};
Cost cost(const sare::Algorithm& algorithm, const Intervals& parameters);

// Calls visit(access, intervals of the variables in scope) for every access in the expression, including inside
// reductions.
template <typename Visit>
void for_each_access(const sare::Expr& expr, const Intervals& variables, Visit&& visit);

}  // namespace haruspex::random

#include "generators/random/regions_inl.h"
