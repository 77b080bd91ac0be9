#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/smt/query.h"
#include "oracle/validator/alignment.h"
#include "oracle/validator/obligation.h"
#include "oracle/validator/sampling.h"
#include "oracle/verdict/validation.h"

// The ladder on which obligations are shown, cheapest rung first.
namespace haruspex::validator {

enum class Rung : std::uint8_t {
    presburger,  // a set of environments is empty
    alignment,   // alignment.h
    rewriting,   // without indices (translation.h), by ranges and as sums of products (refinement/prover.h)
    // Either of the next asks without indices first (translation.h), with them only when that does not hold.
    uninterpreted,  // SMT, every operation on numbers an uninterpreted function
    arithmetic,     // SMT with bit-vectors, and floats as chosen
};
std::string_view name(Rung rung);

// Real numbers are a claim about what is computed from floats, and from numbers alone as long as nothing overflows
// (real_numbers.h): of other specifications and programs floats are IEEE's whatever is asked for, and so they are of a
// program in which several iterations of a par loop, or several lanes, write one cell and have to leave the same. As
// long as inputs are numbers and nothing overflows, there is no NaN in the latter, and nothing tells zeros of either
// sign apart: minima and maxima commute.
using verdict::Floats;

struct Ladder {
    Floats floats = Floats::ieee;
    bool zeros_are_one = false;  // of either sign, in what is requested
    Rung highest = Rung::arithmetic;
    std::uint64_t smt_rlimit = 3'000'000;  // for each query
    std::uint64_t most_gates = 8'000;      // of a query (smt/gates.h): Z3 makes them before it counts anything
    bool check_with_cvc5 = false;
    bool keep_queries = false;  // their SMT-LIB texts
    // That both sides of an equation have values in all of its environments. Evaluation sees to that, so it is a check
    // of our own work; where memory is written by tiles it costs as much as the proof. Without it one point is looked
    // at.
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
    std::optional<isl::set> violations;  // of an obligation that is a set, when it is not empty
    std::vector<Remainder> remainders;   // of an equation
    Rung rung = Rung::presburger;        // the highest that was needed
    std::uint64_t queries = 0, rlimit = 0;
    std::vector<std::string> smt;            // the texts of the queries
    std::vector<std::string> disagreements;  // of the two solvers
    std::vector<std::string> unchecked;      // why the second solver has no opinion of a query

    bool exhausted = false;  // the budget of operations was spent before it was known

    bool holds() const { return !violations && remainders.empty() && !exhausted; }
};

// The rung that shows an outline of the equation, alignment or rewriting, if there is one; then the equation holds.
// With a sampling, here and below, no attempt is made where terms are seen to differ.
std::optional<Rung> shows_outline(const Obligation& obligation, const Specification& specification,
                                  const heap::Templates& templates, const Ladder& ladder, Sampling* sampling = nullptr);

Discharge discharge(const Obligation& obligation, const Specification& specification, const heap::Templates& templates,
                    const Ladder& ladder, Sampling* sampling = nullptr);

}  // namespace haruspex::validator
