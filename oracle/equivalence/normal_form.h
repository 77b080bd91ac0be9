#pragma once

#include <vector>

#include "oracle/equivalence/graph.h"

// One way of writing for what compilers write in several: x << 2, x * 4 and 4 * x are one term then.
//
//   operators on literals       their value, unless that is Undef; none of floats but a cast to one that holds it
//   literals                    the right operand of what is commutative; of integers neutral ones vanish
//   x - c                       x + -c
//   x - y                       x + y * -1 where integers wrap, or y has an opposite
//   -x                          x * -1; of floats 0 - x
//   (x + c) + d, (x * c) * d    x + (c + d), x * (c * d) where integers wrap
//   x + x                       x * 2
//   x << c, x >> c, x & 2^c-1   x * 2^c, x / 2^c, x % 2^c where the type has 2^c
//   x / 2^c of floats           x * 2^-c where that is exact
//   x != y, !!x                 !(x == y), x
//   x <= y                      !(y < x), unless one may be a NaN
//   select(!c, a, b)            select(c, b, a)
//   bool(x)                     !(x == 0)
//   T(U(x))                     T(x) where U loses nothing that T(x) has; of an index likewise
//   T(c) % n, T(c) == 1         T(c), c, of a bool: (u8(c) & 1) != 0 is how bools are kept in memory
//   min(T(c), T(d)), max        T(c && d), T(c || d), of bools
//   i == j, i < j               of indices as i32 or i64 a condition of the iteration
//
// Each holds for all values of the operands, Undef included, bit by bit (any NaN is as good as any other) and of exact
// real numbers: what is written otherwise is no more and no less defined. min(T(c), T(d)) of a Uninit may be Uninit
// where `c && d` is false; both read the same, and what reads a Uninit is never shown to be anything. So no rule drops
// an operand, but where another one reads the same cell.
namespace haruspex::equivalence {

// The operator on terms of the node that are in normal form themselves.
TermId in_normal_form(Graph& graph, NodeId node, const Operator& op, const std::vector<TermId>& operands);

}  // namespace haruspex::equivalence
