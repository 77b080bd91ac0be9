#pragma once

#include <isl/cpp.h>

#include <cstdint>

#include "generators/affine/constraints.h"
#include "oracle/smt/terms.h"
#include "oracle/validator/specification.h"
#include "oracle/validator/term.h"

// What a solver is asked, in its own terms.
namespace haruspex::validator {

// Whether, in these environments, the implementation's term refines the specification's. Neither mentions a value of
// which nothing is prophesied (ENSURE).
struct Question {
    isl::set environments;
    Term specification, implementation;
};

struct Translation {
    smt::Terms terms;
    smt::Term specification, implementation;
    affine::Disjunction domain;
};

// The question itself: indices are integer variables, which the domain ties to what they are. Throws Unsupported when
// its numbers do not fit 64 bits.
Translation with_indices(const Question& question, const Specification& specification);

enum class Embedded : std::uint8_t {
    opaque,   // an embedded index is a value of its type of which nothing is known
    numbers,  // it lies in the range of the index, and indices a constant apart are
};

// A stronger claim, without integer variables. The leaves (cells, embedded indices, conditions) are unknowns, one for
// all leaves that are equal in all of the environments; what is the same number or truth in all of them is a literal.
// The unknowns take the leaves' values among others: where the claim holds, so does the question's. When it fails,
// nothing is said: unknowns may be equal in truth, or a condition follow from another.
Translation without_indices(const Question& question, const Specification& specification, Embedded embedded);

}  // namespace haruspex::validator
