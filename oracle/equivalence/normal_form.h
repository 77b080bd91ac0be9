#pragma once

#include <vector>

#include "oracle/equivalence/graph.h"

// One way of writing for what compilers write in several: x << 2, x * 4 and 4 * x are one term then.
//
//   operators on literals       their value, unless that is Undef or a rounded float
//   literals                    the right operand of what is commutative; neutral ones vanish
//   -x, x - c                   x * -1, x + -c; x - y is x + y * -1 where integers wrap, or y has an opposite;
//                               of floats -x is 0 - x
//   x + x                       x * 2
//   x << c, x >> c, x & 2^c-1   x * 2^c, x / 2^c, x % 2^c
//   x / 2^c of floats           x * 2^-c
//   x != y, x <= y              !(x == y); !(y < x), unless one may be a NaN
//   select(!c, a, b)            select(c, b, a)
//   bool(x)                     !(x == 0)
//   T(U(x))                     T(x) where U loses nothing that T(x) has
//   (u8(c) & 1) != 0            c, of a bool: how bools are kept in memory
//   min(T(c), T(d)), max        T(c && d), T(c || d), of bools
//   indices compared            a condition of the iteration
//
// Each holds for all values of the operands, Undef included, bit by bit (any NaN is as good as any other) and of exact
// real numbers: what is written otherwise is no more and no less defined. It reads what the other reads, so that
// nothing is lost where Uninit tells the two apart.
namespace haruspex::equivalence {

// The operator on terms of the node that are in normal form themselves.
TermId in_normal_form(Graph& graph, NodeId node, const Operator& op, const std::vector<TermId>& operands);

}  // namespace haruspex::equivalence
