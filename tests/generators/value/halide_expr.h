#pragma once

#include <Halide.h>

#include "generators/base/ensure.h"
#include "generators/value/operators.h"

// The operators of generators/value, expressed in Halide.
namespace haruspex::value {

Halide::Type halide_type(Type type);
Halide::Expr halide_constant(const Value& value);
// The value of a constant expression; nullopt if it is not constant.
std::optional<Value> constant_value(Type type, const Halide::Expr& e);

Halide::Expr halide_apply(UnaryOp op, const Halide::Expr& a);
Halide::Expr halide_apply(BinaryOp op, const Halide::Expr& a, const Halide::Expr& b);
Halide::Expr halide_cast(Type to, const Halide::Expr& a);

}  // namespace haruspex::value
