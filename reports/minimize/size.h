#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "generators/schedule/language.h"
#include "generators/value/operators.h"

// The size of a case: a total, well-founded order, so that a minimiser that takes only smaller cases ends.
//
// Numbers are compared one after the other. The parts that cost a reader most come first: each tensor, directive and
// update is an idea to keep in mind, and bugs are told apart by these. Then comes the text of each, definitions before
// expressions before indices; then the values of numbers, of which 1 and 0 say that they do not matter. So inlining a
// tensor makes a case smaller, however long the expression becomes, and so does replacing an update by a directive.
// Cases that are equal in all of this are ordered by their text, shorter first.
namespace haruspex::minimize {

struct Size {
    enum Part : std::uint8_t {
        tensors,  // defined ones, and those that directives make; a staged tensor counts once
        steps,    // directives, and updates, including those that directives make and those that reductions stand for
        updates,  // the steps that are updates of the program, its reductions included
        outputs,
        expressions,  // nodes of value expressions; a node that varies counts twice, an access three times
        dimensions,   // of tensors and inputs, recurrence variables, components beyond the first
        symbols,      // inputs and parameters
        indices,      // nodes of indices and conditions
        actions,      // the details of directives: names of loops, choices
        types,        // the distinct ones, by their places in by_plainness
        operators,    // binary operators that are not plain: so that cases of one bug end in the same operator
        extents,      // the sum of the parameters' values
        constants,    // magnitudes of literals, offsets, coefficients, factors; the literals 0, 1 and -1 do not count
        settings,     // strict floats, special values, a seed, wide ranges of inputs
        part_count
    };
    std::array<std::int64_t, part_count> parts{};
    std::string text;  // the text of the case: cases::to_json

    bool operator==(const Size&) const = default;
    std::strong_ordering operator<=>(const Size& other) const;
};

// The case's SARE must be the image of an algorithm (ENSURE).
Size size_of(const cases::Case& c);

// Whether the operator is "+", "&&" or "==": these replace others where the operator does not matter.
bool is_plain(value::BinaryOp op);

// "2 tensors, 3 directives, 9 lines", for reports; the lines are those of SARE and schedule.
std::string describe(const cases::Case& c);
std::int64_t lines_of(const cases::Case& c);

}  // namespace haruspex::minimize
