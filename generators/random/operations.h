#pragma once

#include <utility>

#include "generators/sare/syntax.h"
#include "generators/value/operators.h"

// Operations as expressions, for what draws and repairs values.
namespace haruspex::random {

inline sare::Expr binary(value::BinaryOp op, sare::Expr a, sare::Expr b) {
    return {sare::Binary{op, std::move(a), std::move(b)}};
}
inline sare::Expr unary(value::UnaryOp op, sare::Expr a) { return {sare::Unary{op, std::move(a)}}; }

}  // namespace haruspex::random
