#pragma once

#include <optional>
#include <string>

#include "generators/value/operators.h"

// Machine integers as bit-vectors: the operators of generators/value as SMT-LIB text, built from the operands' texts.
// For bool there are only the casts; its values are of sort Bool.
namespace haruspex::smt {

struct Computed {
    std::string value;
    std::string undef = "false";  // whether the operation is Undef although its operands are defined
};

Computed bit_vector_unary(value::UnaryOp op, value::Type type, const std::string& a);
// `literal_b`: the value of `b` if it is a literal. A product with a literal of few bits needs no wide multiplication.
Computed bit_vector_binary(value::BinaryOp op, value::Type type, const std::string& a, const std::string& b,
                           const std::optional<value::Value>& literal_b);
Computed bit_vector_cast(value::Type from, value::Type to, const std::string& a);

// The mathematical integer that a bit-vector of the type represents.
std::string integer_of_bits(value::Type type, const std::string& bits);

// Whether every value of the integer type or bool `from` fits the integer type `to`.
bool always_fits(value::Type from, value::Type to);

}  // namespace haruspex::smt
