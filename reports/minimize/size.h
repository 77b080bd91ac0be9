#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

#include "generators/case/case.h"
#include "generators/value/operators.h"

// How large a case is: a total order, well-founded, so that a minimiser that only ever takes a smaller case ends.
//
// Numbers are compared one after the other. What costs a reader most comes first: each tensor, each directive and each
// update is an idea to hold in mind, and what bugs are told apart by; then what there is to read of each, definitions
// before expressions before indices; then what the numbers are, of which 1 and 0 say that they do not matter. So a
// tensor that is inlined makes a case smaller, however long the expression that it leaves, and so does an update in
// whose place a directive does. Cases that are alike in all of it are ordered by their text, shorter first.
namespace haruspex::minimize {

// The types of numbers, the plainest first: i32 needs no thought, and floats bring rounding and special values. What
// shows with several types ends in the plainest of them, so that cases of one bug end in the same one.
inline constexpr std::array by_plainness{value::Type::i32, value::Type::u8, value::Type::u16, value::Type::u32,
                                         value::Type::u64, value::Type::i8, value::Type::i16, value::Type::i64,
                                         value::Type::f32, value::Type::f64};

struct Size {
    enum Part : std::uint8_t {
        tensors,  // defined ones, and those that rfactor makes; a staged tensor counts once
        steps,    // directives, and updates, also those that rfactor makes and those that reductions stand for
        updates,  // of the steps, those that the program has, its reductions among them
        outputs,
        expressions,  // nodes of value expressions; one that varies counts twice, one that reads thrice
        dimensions,   // of tensors and inputs, recurrence variables, components beyond the first
        symbols,      // inputs and parameters
        indices,      // nodes of indices and conditions
        actions,      // what the directives say: tail strategies, factors, loops named
        types,        // the distinct ones, by their places in by_plainness
        operators,    // of two operands, that are not plain: so that cases of one bug end in the same one
        extents,      // the sum of the parameters' values
        constants,    // magnitudes of literals, offsets, coefficients, factors; 0, 1 and -1 count nothing as literals
        settings,     // strict floats, special values, a seed, wide ranges of inputs
        part_count
    };
    std::array<std::int64_t, part_count> parts{};
    std::string text;  // of the case: cases::to_json

    bool operator==(const Size&) const = default;
    std::strong_ordering operator<=>(const Size& other) const;
};

// The case's SARE is the image of a Halide algorithm (ENSURE).
Size size_of(const cases::Case& c);

// "+", "&&" and "==": what stands in the place of others when it does not matter which it is.
bool is_plain(value::BinaryOp op);

// "2 tensors, 3 directives, 9 lines": as a report counts, lines being those of SARE and schedule.
std::string describe(const cases::Case& c);
std::int64_t lines_of(const cases::Case& c);

}  // namespace haruspex::minimize
