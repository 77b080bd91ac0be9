#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/equivalence/algebra.h"

// Whether two static affine programs compute the same outputs, for all sizes and inputs, without annotations
// (Verdoolaege, Janssens and Bruynooghe, CAV 2009 and TOPLAS 2012). README.md has the rules and why they are sound.
// It is the rival of oracle/validator and shares none of its rules with it.
namespace haruspex::equivalence {

struct Options {
    // Operators that may be reordered, and flattened where they are associative; each at the types at which it is so.
    Reorderable reorderable;
    // Floats are exact real numbers, which has more operators associative and commutative. Otherwise they are what they
    // are, bit by bit.
    bool exact_reals = false;
    // Parameters that have one value only; the verdict is about these values, and all that the others may have.
    Sizes sizes;
    // isl's elementary operations, for everything.
    std::uint64_t operations = 50'000'000;
    // Values are written in normal form first (normal_form.h). Otherwise operators are symbols, as they are to isa.
    bool normal_forms = true;
};

enum class Outcome : std::uint8_t {
    proved,       // every requested output cell is the same, and nothing else is wrong with the programs
    not_proved,   // some cells are not shown to be the same; or an access, an assertion or a race stands in the way
    undecided,    // out of budget, or a fault of isl
    unsupported,  // a program is not static and affine, or uses what this does not know
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
    std::string first, second;     // where in the programs
    std::string relation;          // { first[i] -> second[j] }: the iterations
    bool is_hypothetical = false;  // of iterations that nobody may ask for: a widened hypothesis holds them
    bool operator==(const Mismatch&) const = default;
};

// What the propagation did.
struct Effort {
    std::uint64_t pairs = 0;         // of computations, visited with a relation
    std::uint64_t inductions = 0;    // hypotheses that were used
    std::uint64_t widenings = 0;     // hypotheses made from an affine hull: of two requests, or of many parts
    std::uint64_t narrowings = 0;    // hypotheses that did not hold and were retried
    std::uint64_t permutations = 0;  // operands of reorderable operators put beside each other
};

struct Verdict {
    Outcome outcome = Outcome::undecided;
    std::string reason;  // one line
    std::vector<OutputCells> outputs;
    std::vector<Mismatch> mismatches;  // a few, those that count first
    std::vector<std::string> notes;    // of reorderable operators: at which types they were left alone
    Effort effort;
    std::uint64_t operations = 0;  // isl's
};

// Whether the program computes what the SARE requests: for all values of its parameters within the assumptions, and
// all inputs for which it is defined. The SARE is well-formed, the program well-typed, and it fits the SARE
// (validator::fits says the same of both). The same arguments give the same verdict with the same version of isl.
Verdict check(const sare::Sare& sare, const sched::Program& program, const Options& options = {});

// The same of two programs, of which the first is the specification: of every cell that its outputs have. They have
// the same parameters, inputs and outputs, which `assumptions` may restrict. Prophecies are ignored.
Verdict check(const sched::Program& first, const sched::Program& second,
              const sare::Condition& assumptions = {sare::Truth{true}}, const Options& options = {});

// Whether two programs can be compared: an Error when they have other parameters, or arrays of other types or ranks for
// a tensor, or when the second has no array for an output of the first.
[[nodiscard]] Result<void> fits(const sched::Program& first, const sched::Program& second);

// For people.
std::string explain(const Verdict& verdict);

}  // namespace haruspex::equivalence
