#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/smt/query.h"
#include "oracle/validator/terms/term.h"
#include "oracle/verdict/validation.h"

// The ladder of methods (rungs) by which obligations are shown, cheapest first.
namespace haruspex::validator {

enum class Rung : std::uint8_t {
    presburger,  // a set of environments is empty
    alignment,   // alignment.h
    rewriting,   // without indices (translation.h), by ranges and as sums of products (refinement/prover.h)
    // Both SMT rungs ask without indices first (translation.h), and with them only if that does not hold.
    uninterpreted,  // SMT, every operation on numbers an uninterpreted function
    arithmetic,     // SMT with bit-vectors, and floats as chosen
};
std::string_view name(Rung rung);

// With `real`, floats are exact real numbers. A proof can use this only if are_real_numbers holds for the specification
// and the program (real_numbers.h), which implies that all floats are numbers as long as inputs are numbers and nothing
// overflows; otherwise floats are IEEE's, whatever is requested. `real` becomes `numbers` for a program in which
// several iterations of a par loop, or several lanes, write one cell and have to leave the same value. `numbers` are
// IEEE's floats; as long as inputs are numbers and nothing overflows, there is no NaN, and nothing distinguishes zeros
// of either sign, so that minima and maxima commute. `abstract` shows what holds for IEEE's operations and for those of
// real numbers extended by NaN, infinities and a negative zero alike: no more of them is used than special values, signs,
// and that they commute (smt/abstract_floats.h).
using verdict::Floats;

// How the rungs that compare terms one by one take floats: with `abstract` they use only what holds for IEEE's.
inline Floats compared(Floats floats) { return floats == Floats::abstract ? Floats::ieee : floats; }

struct Ladder {
    Floats floats = Floats::ieee;
    // With `abstract`: a sum is also a function of the multiset of its summands. What needs this (Discharge) holds for
    // extended real numbers, and not for IEEE's sums, which round.
    bool regroups_sums = false;
    bool ignores_sign_of_zero = false;  // in requested cells
    Rung highest = Rung::arithmetic;
    std::uint64_t smt_rlimit = 3'000'000;  // for each query
    std::uint64_t most_gates = 8'000;      // of a query (smt/gates.h): Z3 builds them before it counts anything
    bool keep_queries = false;             // their SMT-LIB texts
    // Asserts that both sides of an equation are defined on all of its environments. Evaluation guarantees this, and
    // for tiled writes the assertion costs as much as the proof. If false, one sample point is checked instead.
    bool checks_sides = true;
};

// A part of an equation that no rung shows.
struct Remainder {
    isl::set environments;
    Term specification, implementation;
    std::string reason;               // "not equal", "memory not written", "no prophecy", "rlimit of … is spent"
    std::optional<smt::Model> model;  // under which it fails, as far as the solver knows
};

struct Discharge {
    std::optional<isl::set> violations;  // if the obligation is a set that is not empty
    std::vector<Remainder> remainders;   // parts of an equation that are not shown
    Rung rung = Rung::presburger;        // the highest that was needed
    std::uint64_t queries = 0, rlimit = 0;
    bool regroups_sums = false;    // something holds for sums in any order only
    std::vector<std::string> smt;  // the texts of the queries

    bool exhausted = false;  // the budget of operations was spent before the result was known

    bool holds() const { return !violations && remainders.empty() && !exhausted; }
};

}  // namespace haruspex::validator
