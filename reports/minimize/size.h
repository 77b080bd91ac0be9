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
// The parts of a size are numbers, compared one after the other. The parts that cost a reader most come first: each
// tensor, directive and update is an idea to keep in mind, and bugs are told apart by these. Next come the parts about
// the text: definitions, then expressions, then indices. Last come the values of numbers; a 1 or a 0 tells a reader
// that the number does not matter. So inlining a tensor makes a case smaller, however long the expression becomes, and
// so does replacing an update by a directive. Cases with equal numbers are ordered by their text, shorter first.
namespace haruspex::minimize {

struct Size {
    enum Part : std::uint8_t {
        tensors,  // functions, and tensors that directives make; the tensors into which a function is staged count once
        steps,    // directives and updates; an update that a directive makes counts, and so does a reduction
        updates,  // the steps that are updates of the program or reductions in it
        outputs,
        expressions,  // nodes of values; an index or condition used as a value counts twice, an access three times
        dimensions,   // dimensions of tensors and inputs, recurrence variables, components beyond the first
        symbols,      // inputs and parameters
        indices,      // nodes of indices and conditions
        actions,      // the details of directives: names of loops, choices
        types,        // sum of the distinct types' places in by_plainness
        operators,    // binary operators for which is_plain is false, so that cases of one bug end in the same operator
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

// Returns the size of a case. Its SARE must have been made from an algorithm (sare::unstage; ENSURE).
Size size_of(const cases::Case& c);

// Whether the operator is "+", "&&" or "==". These take the place of others where the operator does not matter.
bool is_plain(value::BinaryOp op);

// Returns "2 tensors, 3 directives, 9 lines", for reports.
std::string describe(const cases::Case& c);
// Returns the number of lines of SARE and schedule as text.
std::int64_t lines_of(const cases::Case& c);

}  // namespace haruspex::minimize
