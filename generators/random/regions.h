#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/sare/algorithm.h"

// Which cells of each function are touched: intervals for each dimension, by interval arithmetic on indices. An
// over-approximation of what the outputs demand; parameters range over intervals too, so one analysis covers all sizes
// that a case may get.
namespace haruspex::random {

struct Interval {
    std::int64_t low = 0, high = 0;  // both included; empty when low > high
    bool is_empty() const { return low > high; }
    bool operator==(const Interval&) const = default;
};

Interval hull(const Interval& a, const Interval& b);
Interval intersection(const Interval& a, const Interval& b);

using Intervals = std::map<std::string, Interval>;  // variable or parameter -> its values

// Of each parameter the one value that it has.
Intervals intervals_of(const Sizes& sizes);

Interval evaluate(const sare::Index& index, const Intervals& variables);

struct Regions {
    std::map<std::string, std::vector<Interval>> touched;  // by function and input
    std::map<std::string, std::vector<Interval>> boxes;    // by output: what is requested
};

// Touched cells of all functions and inputs. An update touches the cells it writes and reads, wanted or not, as
// Halide's bounds inference has it.
Regions infer_regions(const sare::Algorithm& algorithm, const Intervals& parameters);

// The first output, in the order of the system's, that is touched where nothing is requested of it: a buffer of just
// what is requested is too small for that. Nothing when all outputs are touched inside.
std::optional<std::string> output_touched_outside(const sare::Algorithm& algorithm, const Intervals& parameters);

// The variables of an update at the given region of its function: pure and recurrence variables with their values.
Intervals update_variables(const sare::Function& function, const sare::UpdateDefinition& update,
                           const std::vector<Interval>& region, const Intervals& parameters);
Intervals pure_variables(const sare::Function& function, const std::vector<Interval>& region,
                         const Intervals& parameters);

// The number of points of the update's recurrence domain, at most.
std::int64_t steps(const sare::UpdateDefinition& update, const Intervals& parameters);

// Upper bounds of what a case costs.
struct Cost {
    std::int64_t evaluations = 0;  // cells that the reference evaluates
    std::int64_t input_cells = 0;  // cells of the inputs' hulls, which the compiler asks for
    bool operator==(const Cost&) const = default;
};
Cost cost(const sare::Algorithm& algorithm, const Intervals& parameters);

// Calls visit(access, intervals of the variables around it) for every access in the expression, reductions included.
template <typename Visit>
void for_each_access(const sare::Expr& expr, const Intervals& variables, Visit&& visit);

}  // namespace haruspex::random

#include "generators/random/regions_inl.h"
