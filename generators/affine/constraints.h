#pragma once

#include <isl/cpp.h>

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/box.h"
#include "generators/base/result.h"

// Sets and affine expressions over parameters as plain data, for code that reasons about them without isl (solvers).
//
//   affine      ::= constant + Σ coefficient·variable + Σ coefficient·floor(affine / divisor)
//   constraint  ::= affine = 0 | affine >= 0
//   conjunction ::= constraint and … and constraint         without a constraint: true
//   disjunction ::= conjunction or … or conjunction         without a conjunction: false
//
// A variable is the name of an isl parameter and stands for any integer. Constants, coefficients and divisors fit 64
// bits; variables and quotients are mathematical integers.
namespace haruspex::affine {

struct Summand;
struct Quotient;

struct Affine {
    std::int64_t constant = 0;
    std::vector<Summand> summands;    // by ascending name, each variable once, no coefficient zero
    std::vector<Quotient> quotients;  // in isl's order, no coefficient zero

    bool operator==(const Affine&) const;
};

struct Summand {
    std::string variable;
    std::int64_t coefficient = 1;
    bool operator==(const Summand&) const = default;
};

// coefficient · floor(numerator / divisor)
struct Quotient {
    std::int64_t coefficient = 1;
    Box<Affine> numerator;
    std::int64_t divisor = 1;  // positive
    bool operator==(const Quotient&) const = default;
};

enum class Comparison : std::uint8_t { equals_zero, at_least_zero };

struct Constraint {
    Affine affine;
    Comparison comparison = Comparison::at_least_zero;
    bool operator==(const Constraint&) const = default;
};

using Conjunction = std::vector<Constraint>;   // empty: true
using Disjunction = std::vector<Conjunction>;  // empty: false

// One piece of a piecewise affine expression; the domains of the pieces are disjoint.
struct Piece {
    Disjunction domain;
    Affine value;
    bool operator==(const Piece&) const = default;
};

Affine constant(std::int64_t value);
Affine variable(std::string name);

// The conversions below return an Error if a coefficient does not fit 64 bits. They cost isl operations and may throw
// isl's exceptions (context.h).

// Converts a set of parameters, "[x, y] -> { : x < y }". Existentially quantified variables become quotients.
[[nodiscard]] Result<Disjunction> disjunction(const isl::set& parameters);
// Converts an expression over parameters, "[x] -> { [(x + 1)] }". An expression with a denominator is rounded down.
// This loses nothing, because expressions are used only on domains on which they are integers. An Error for isl's NaN.
[[nodiscard]] Result<Affine> affine(const isl::aff& expression);
[[nodiscard]] Result<std::vector<Piece>> pieces(const isl::pw_aff& expression);

using Assignment = std::map<std::string, std::int64_t, std::less<>>;

// Returns the value under the assignment; nullopt if the value or an intermediate value does not fit 64 bits. Every
// variable must be assigned (ENSURE).
std::optional<std::int64_t> evaluate(const Affine& affine, const Assignment& assignment);
// Whether the assignment satisfies the disjunction; nullopt if this depends on a constraint whose value is unknown.
std::optional<bool> contains(const Disjunction& disjunction, const Assignment& assignment);

// "2x + floor((y + 1)/4) - 3", "x - y >= 0 and 2x = 0", "… or …", "true", "false".
std::string to_string(const Affine& affine);
std::string to_string(const Disjunction& disjunction);

}  // namespace haruspex::affine
