#pragma once

#include <isl/cpp.h>

#include <cstdint>

#include "generators/affine/constraints.h"
#include "oracle/smt/terms.h"
#include "oracle/validator/specification/specification.h"
#include "oracle/validator/terms/term.h"

// Translates questions into a solver's terms.
namespace haruspex::validator {

// The question whether, in these environments, the implementation's term refines the specification's. Neither mentions
// Unknown (ENSURE).
struct Question {
    isl::set environments;
    Term specification, implementation;
};

struct Translation {
    smt::Terms terms;
    smt::Term specification, implementation;
    affine::Disjunction domain;
};

// Translates the question as it is: indices are integer variables, which the domain constrains to the indices' values.
// Throws Unsupported if its numbers do not fit 64 bits.
Translation with_indices(const Question& question, const Specification& specification);

// How much a translation without integer variables keeps of embedded indices (indices converted to values, such as
// i32<x>).
enum class Embedded : std::uint8_t {
    opaque,   // an embedded index becomes an arbitrary value of its type
    numbers,  // it becomes an unknown within the range of its index; cells stay within the ranges of their components,
              // and constant distances between indices are kept
};

// Translates the question to a stronger claim without integer variables. The leaves (cells, embedded indices,
// conditions) become unknowns: leaves that are equal in all of the environments are one unknown, and an index or
// condition that is the same number or truth in all of them is a literal. The claim is about all values of the
// unknowns, and the leaves' values are among these. So if the claim holds, the answer to the question is yes. If it
// fails, nothing follows: the leaves may be related in ways that the unknowns are not, for example if one condition
// follows from another.
Translation without_indices(const Question& question, const Specification& specification, Embedded embedded);

}  // namespace haruspex::validator
