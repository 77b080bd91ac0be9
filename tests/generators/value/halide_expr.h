#pragma once

#include <Halide.h>

#include <array>

#include "generators/base/ensure.h"
#include "generators/value/operators.h"

// The operators of generators/value, expressed in Halide.
namespace haruspex::value {

// Halide's signed integers of 32 and 64 bits do not wrap.
inline constexpr std::array halide_types{Type::boolean, Type::u8,  Type::u16, Type::u32, Type::u64, Type::i8,
                                         Type::i16,     Type::i32, Type::i64, Type::f32, Type::f64};

Halide::Type halide_type(Type type);
Halide::Expr halide_constant(const Value& value);
// The value of a constant expression; nullopt if it is not constant.
std::optional<Value> constant_value(Type type, const Halide::Expr& e);

Halide::Expr halide_apply(UnaryOp op, const Halide::Expr& a);
Halide::Expr halide_apply(BinaryOp op, const Halide::Expr& a, const Halide::Expr& b);
Halide::Expr halide_cast(Type to, const Halide::Expr& a);

}  // namespace haruspex::value
