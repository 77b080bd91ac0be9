#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/sare/algorithm.h"

// Computes the cells that an access touches, as ranges whose ends are affine in the parameters.
namespace haruspex::transform {

struct Affine {
    std::map<std::string, std::int64_t> coefficients;  // no zeros
    std::int64_t constant = 0;
    bool operator==(const Affine&) const = default;
};
Affine operator+(const Affine& a, const Affine& b);
Affine operator*(std::int64_t factor, const Affine& a);
sare::Index to_index(const Affine& affine);
// nullopt if the index is not affine.
std::optional<Affine> to_affine(const sare::Index& index);

// [low, high)
struct Range {
    Affine low, high;
    bool operator==(const Range&) const = default;
};
sare::Span to_span(const Range& range);
using Ranges = std::map<std::string, Range>;  // of variables; any other variable is a symbol, and not negative

// Returns a range that contains the values of the index while its variables are in their ranges. nullopt if the index
// contains a select, for which there is no rule.
std::optional<Range> range_of(const sare::Index& index, const Ranges& variables);
// Returns a range that contains both. Symbols that have different factors in the two ranges must not be negative.
Range hull(const Range& a, const Range& b);

// Returns the box of each function and input: it contains all cells that the function's updates write or read, that
// consumers read, and that are requested. No box has a negative extent if none has that the outputs request, and no
// update's recurrence domain.
using Boxes = std::map<std::string, std::vector<Range>>;
Boxes boxes(const sare::Algorithm& algorithm);
// Widens a box of the function by the cells that the function's own updates touch.
void widen_by_updates(const sare::Function& function, std::vector<Range>& box);

}  // namespace haruspex::transform
