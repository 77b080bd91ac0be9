#pragma once

#include <set>
#include <span>
#include <string>

#include "generators/base/choice.h"
#include "generators/random/policy.h"
#include "generators/random/program_builder.h"
#include "generators/tensor/syntax.h"

// Draws programs of whole tensors: chains of contractions, outer products, transpositions and element-wise operators.
namespace haruspex::random {

// Draws a well-formed program over the parameters N and M, both at least 1, with elements of one type. Variables "x…"
// are read before they are assigned, "t…" are assigned first, "d…" are inputs that divide (divisors_are_inputs) and
// are never assigned.
tensor::Program draw_tensors(Choices& choices, const TensorPolicy& policy, value::Type element);
// The variables "d…" of such a program that divide.
std::set<std::string> dividing_inputs(const tensor::Program& program);

// Draws such a program, with a type among `types`, and translates it to an algorithm without statements and parameters
// that no output depends on. An update accumulates each statement that is a sum (sare/fold.h); sums within expressions
// are inline. It is exact for all values of its parameters, its divisors are not zero, and no function
// reads an output, so that program_builder.h holds of it. If no inputs are small enough for it to be exact in the type
// that was drawn, it has one that wraps around.
Program draw_tensor_program(Choices& choices, const Policy& policy, std::span<const value::Type> types);

}  // namespace haruspex::random
