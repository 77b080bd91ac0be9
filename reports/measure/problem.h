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

// What the methods are asked about: whether a program computes what a specification requests.
namespace haruspex::measure {

// How a problem came about, and with that which truth it is made for.
enum class Making : std::uint8_t {
    transformed,      // right: loops of a random SARE, put through legal transformations of every kind
    reordered,        // right: only iterations and statements change places
    laid_out_anew,    // right: only arrays are laid out otherwise, and indices get names
    reassociated,     // right: operands of values change places, where wrap-around makes no difference
    lowered,          // right, unless the compiler is wrong: a random case and what the compiler lowers it to
    mutated,          // wrong: a transformed program with a single slip
    lowered_mutated,  // wrong: what the compiler lowers a case to, with a single slip
    mutant,           // wrong: what a compiler with a bug of ours lowers a case to
    row,              // of a folder of cases that people have written
};
std::string_view name(Making making);
inline constexpr int makings = 9;

// A program over the tensors' own coordinates, with prophecies, for all sizes that the SARE assumes.
struct Written {
    sare::Sare sare;
    sched::Program program;
    std::vector<transform::Transformation> applied;
};

// A program that came out of a compiler. It is about linear memory.
struct Lowered {
    cases::Case c;         // at the problem's own sizes
    cases::Case compiled;  // the same, but where the specification is not what the compiler was given
    pipeline::LoweredProgram plain;
    std::expected<sched::Program, std::string> prophesied;  // the same with prophecies
    std::vector<sare::Condition> rules;                     // sizes that the compiler documents to work
    std::shared_ptr<const Source> source;
    bool is_changed = false;  // by us, after lowering: no compiler makes code of it
};

struct Problem {
    Making making = Making::transformed;
    std::string detail;  // the mutation's kind, the mutant; what the row is called
    std::variant<Written, Lowered> subject;
    Sizes own;  // its own sizes
    // What the interpreters show: at its own sizes, and at any of those that were tried. What they do not show to be
    // wrong is right, by its making.
    bool is_wrong_at_own = false, is_wrong = false;
    std::string shown;  // the sizes and what is wrong there
};

}  // namespace haruspex::measure
