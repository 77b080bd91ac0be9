#pragma once

#include <expected>

#include "generators/sare/syntax.h"
#include "generators/tensor/no_program.h"
#include "generators/tensor/syntax.h"

// Recognises the SAREs that are programs of whole tensors: those of to_sare, and those written by hand whose equations
// are made of the same forms.
//
// A right-hand side is read as follows. Each variable must occur as often as its context asks: a variable of the tensor
// once, the variable of a sum twice within it. `+` and `-` hand this on to both operands. So does `*` if both operands
// can satisfy it; otherwise it is an outer product, or a multiplication by a scalar, and divides the occurrences among
// its operands. Divisors are scalars, or satisfy what the whole does. Transpositions bring dimensions into order.
//
// A tensor that an update accumulates is read as the sum that it is (sare/fold.h).
//
// A SARE says no extents of its inputs and inner tensors. They follow from the boxes of the outputs, the domains of sums
// and the accesses.
namespace haruspex::tensor {

// Returns the program with one statement for each tensor of a well-formed SARE, inputs and outputs qualified. It has the
// same values: to_sare, and then sare::folded if the SARE has updates, gives the same system, but for the order of tensors,
// the names of variables in equations and products with a scalar.
std::expected<Program, NoProgram> from_sare(const sare::Sare& sare);

}  // namespace haruspex::tensor
