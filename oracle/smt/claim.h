#pragma once

#include <cstdint>

#include "oracle/smt/terms.h"

// The claim that an implementation's term refines a specification's, and how much of their operations counts.
namespace haruspex::smt {

// How much the solver knows of the operations on numbers. Booleans, select, definedness and indices (linear integer
// arithmetic) are exact at either level.
enum class Abstraction : std::uint8_t {
    // Every operation on numbers is an uninterpreted function, and so is its definedness. It is commutative if the
    // operator is (minima and maxima of floats: with Floats::real), and evaluated on literals. Fails is inconclusive.
    uninterpreted,
    // Integers are bit-vectors with the semantics of generators/value; floats as chosen below.
    arithmetic,
};

enum class Floats : std::uint8_t {
    // As in Abstraction::uninterpreted, for all operations that take or return floats.
    uninterpreted,
    // Exact real numbers: no rounding, no NaN, no infinities, one zero. Division by zero has some value, the same for
    // the same dividend; f32 and f64 do not overflow; a float is converted to an integer by truncation. Holds then
    // means that the values are equal if no float operation rounds, and equal up to rounding otherwise.
    real,
    // IEEE 754, rounded to nearest even, bit for bit as in generators/value.
    ieee,
    // Functions that are exact on special values and signs (abstract_floats.h). Holds then means that the refinement
    // holds for IEEE's operations and for those on extended real numbers; unless Query::sums is `ordered`, for the
    // latter, in which sums are associative. Fails is inconclusive.
    abstract,
};
// With `real`, a literal that is NaN or infinite cannot be expressed: the outcome is Unknown.

// With Floats::abstract: what is known of chains of additions of floats.
enum class Sums : std::uint8_t {
    ordered,  // each addition commutes, and is a function of its two operands
    hashed,   // a sum is a function of the multiset of its summands, by sums of hashes (CAV 2022, 5.3, Theorem 1)
    counted,  // the same by arrays of counts, for comparison
};

// The equality of two defined values: value::same_result or value::same_number.
enum class Equality : std::uint8_t { same_result, same_number };

// The claim: for all values of the variables in the domain, and all values of unknown tensors and atoms, either the
// specification is Undef, or both terms are defined and equal. (Nothing refines an Uninit specification.)
struct Query {
    affine::Disjunction domain;
    Term specification;
    Term implementation;  // of the same type (ENSURE)
    Abstraction abstraction = Abstraction::arithmetic;
    Floats floats = Floats::ieee;
    Equality equality = Equality::same_result;
    Sums sums = Sums::ordered;
};

}  // namespace haruspex::smt
