#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/sched/syntax.h"
#include "harness/transform/transformation.h"
#include "oracle/pipeline/prophecies.h"
#include "reports/measure/source.h"

// Problems for the methods: whether a program computes what a specification requests.
namespace haruspex::measure {

// How a problem was made, which determines its intended truth.
enum class Making : std::uint8_t {
    transformed,      // right: loops of a random SARE, after legal transformations of every kind
    reordered,        // right: only iterations and statements are reordered
    laid_out_anew,    // right: only array layouts change, and indices get names
    reassociated,     // right: operands of values are reordered where that changes no value
    lowered,          // right, unless the compiler is wrong: a random case, lowered
    mutated,          // wrong: a transformed program with a single mutation
    lowered_mutated,  // wrong: a lowered case with a single mutation
    mutant,           // wrong: a case lowered by a mutant of the compiler
    row,              // a case written by hand, from a folder
};
std::string_view name(Making making);
inline constexpr int makings = 9;

// A program over the tensors' own coordinates, with prophecies, for all sizes that the SARE assumes.
struct Written {
    sare::Sare sare;
    sched::Program program;
    std::vector<transform::Transformation> applied;
};

// A program from a compiler, over linear memory.
struct Lowered {
    cases::Case c;         // with the specification by which it is judged, at the problem's own sizes
    cases::Case compiled;  // the same with the specification that the compiler was given
    pipeline::LoweredProgram plain;
    std::expected<sched::Program, std::string> prophesied;  // the same with prophecies, or why not
    std::vector<sare::Condition> rules;                     // the compiler's documented conditions on sizes
    std::shared_ptr<const Source> source;
    bool is_changed = false;  // mutated after lowering: the compiler has no native code for it
};

struct Problem {
    Making making = Making::transformed;
    std::string detail;  // the mutation's kind, the mutant, or the row's name
    std::variant<Written, Lowered> subject;
    Sizes own;  // the problem's own sizes
    // Whether the interpreters show the program to be wrong at the problem's own sizes, and at any sizes tried. A
    // problem that they do not show to be wrong counts as right.
    bool is_wrong_at_own = false, is_wrong = false;
    std::string shown;  // the sizes at which it is wrong, and what is wrong there; empty if nothing is
};

}  // namespace haruspex::measure
