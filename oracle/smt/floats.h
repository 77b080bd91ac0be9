#pragma once

#include <string>

#include "generators/value/operators.h"
#include "oracle/smt/bit_vectors.h"

// The float operators of generators/value as SMT-LIB text: in the theory of floating-point numbers, and over the reals.
namespace haruspex::smt::ieee {

std::string sort(value::Type type);
std::string of_bits(value::Type type, const std::string& bits);
Computed unary(value::UnaryOp op, value::Type type, const std::string& a);
Computed binary(value::BinaryOp op, const std::string& a, const std::string& b);
// `from` or `to` is a float; integers are bit-vectors.
Computed cast(value::Type from, value::Type to, const std::string& a);

}  // namespace haruspex::smt::ieee

namespace haruspex::smt::real {

Computed unary(value::UnaryOp op, const std::string& a);
Computed binary(value::BinaryOp op, const std::string& a, const std::string& b);
// The integer to which a real is truncated.
std::string truncated(const std::string& a);

}  // namespace haruspex::smt::real
