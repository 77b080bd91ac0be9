#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/sare/algorithm.h"

// Over-approximates the cells of each function and input that the outputs need, by interval arithmetic on indices: one
// interval for each dimension. Parameters range over intervals, too, so one analysis covers all sizes of a case.
namespace haruspex::random {

struct Interval {
    std::int64_t low = 0, high = 0;  // both included; empty when low > high
    bool is_empty() const { return low > high; }
    bool operator==(const Interval&) const = default;
};

Interval hull(const Interval& a, const Interval& b);
Interval intersection(const Interval& a, const Interval& b);

using Intervals = std::map<std::string, Interval>;  // variable or parameter -> its values

// Returns the interval [size, size] for each parameter.
Intervals intervals_of(const Sizes& sizes);

Interval evaluate(const sare::Index& index, const Intervals& variables);

struct Regions {
    std::map<std::string, std::vector<Interval>> touched;  // of each function and input
    std::map<std::string, std::vector<Interval>> boxes;    // of each output: the requested cells
};

// Computes the touched cells of all functions and inputs. As in bounds inference by boxes, an update touches all cells
// that it writes and reads, needed or not.
Regions infer_regions(const sare::Algorithm& algorithm, const Intervals& parameters);

// Returns the first output of the algorithm that is touched outside its requested box, so that a buffer of the
// requested size is too small. nullopt if there is none.
std::optional<std::string> output_touched_outside(const sare::Algorithm& algorithm, const Intervals& parameters);

// Return the values of variables and parameters where a definition computes the given region of its function: the pure
// variables and, in an update, the recurrence variables.
Intervals update_variables(const sare::Function& function, const sare::UpdateDefinition& update,
                           const std::vector<Interval>& region, const Intervals& parameters);
Intervals pure_variables(const sare::Function& function, const std::vector<Interval>& region,
                         const Intervals& parameters);

// Returns an upper bound of the number of points in the update's recurrence domain; each extent counts as at most 2^20.
std::int64_t steps(const sare::UpdateDefinition& update, const Intervals& parameters);

// Upper bounds of a case's cost.
struct Cost {
    std::int64_t evaluations = 0;  // cells that the reference interpreter evaluates
    std::int64_t input_cells = 0;  // cells of the inputs' touched boxes, which the compiler requires
    bool operator==(const Cost&) const = default;
};
Cost cost(const sare::Algorithm& algorithm, const Intervals& parameters);

// Calls visit(access, intervals of the variables in scope) for every access in the expression, reductions included.
// `variables` has all parameters and variables that occur in the domains of reductions (ENSURE). sare::for_each_access
// needs none.
template <typename Visit>
void for_each_access(const sare::Expr& expr, const Intervals& variables, Visit&& visit);

}  // namespace haruspex::random

#include "generators/random/regions_inl.h"
