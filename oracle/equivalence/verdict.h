#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/sizes.h"
#include "oracle/equivalence/algebra.h"

// What the equivalence checker is asked for, and its answer.
namespace haruspex::equivalence {

struct Options {
    // Operators whose operands may be reordered, and flattened if they are associative, at the types at which the laws
    // hold.
    Reorderable reorderable;
    // Treat floats as exact real numbers, which makes more operators associative and commutative. Otherwise floats are
    // compared bit by bit.
    bool exact_reals = false;
    // Parameters with a fixed value. The verdict is about these values, and all values of the other parameters.
    Sizes sizes;
    // Budget for everything, in isl operations.
    std::uint64_t operations = 50'000'000;
    // Write values in normal form first (normal_form.h). Otherwise operators are uninterpreted symbols, as in isa.
    bool normal_forms = true;
};

enum class Outcome : std::uint8_t {
    proved,       // every requested output cell is the same, and the programs have no other error (conduct.h)
    not_proved,   // some cells are not shown to be the same, or a program is not shown to be free of other errors
    undecided,    // out of budget, or an error of isl
    unsupported,  // a program is not static and affine, or uses an unknown feature
};
std::string_view name(Outcome outcome);

// Cells of an output, in isl's notation.
struct OutputCells {
    std::string tensor;
    int component = 0;
    std::string requested, proved, not_proved;
    bool is_proved = false;  // all of them
};

// A pair of computations that are not shown to be the same.
struct Mismatch {
    std::string what;              // "add i32 is not mul i32"
    std::string first, second;     // the places in the programs
    std::string relation;          // { first[i] -> second[j] }: the iterations
    bool is_hypothetical = false;  // the iterations may be irrelevant: they belong to a hypothesis under trial
    bool operator==(const Mismatch&) const = default;
};

// Statistics of the propagation.
struct Effort {
    std::uint64_t pairs = 0;         // of computations, visited with a relation
    std::uint64_t inductions = 0;    // uses of a hypothesis
    std::uint64_t widenings = 0;     // hypotheses made from a hull of two requests, or of many parts
    std::uint64_t narrowings = 0;    // hypotheses that did not hold and were retried
    std::uint64_t permutations = 0;  // attempts to match operands of reorderable operators
};

struct Verdict {
    Outcome outcome = Outcome::undecided;
    std::string reason;  // one line
    std::vector<OutputCells> outputs;
    std::vector<Mismatch> mismatches;  // a few, the most relevant first
    std::vector<std::string> notes;    // types at which operators named as reorderable were not reordered or flattened
    Effort effort;
    std::uint64_t operations = 0;  // isl operations
};

// Returns a text for people.
std::string explain(const Verdict& verdict);

}  // namespace haruspex::equivalence
