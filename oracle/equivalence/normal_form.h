#pragma once

#include <vector>

#include "oracle/equivalence/graph.h"

// Normal forms for values that compilers write in several ways: x << 2, x * 4 and 4 * x become one term.
//
//   operators on literals their value, unless that is Undef; for floats only casts that are exact literals become the
//   right operand of commutative operators; integers that are neutral are removed x - c x + -c x - y x + y * -1 where
//   integers wrap, or y has an opposite -x x * -1; for floats 0 - x (x + c) + d, (x * c) * d x + (c + d), x * (c * d)
//   where integers wrap x + x x * 2 x << c, x >> c, x & 2^c-1 x * 2^c, x / 2^c, x % 2^c where the type has 2^c x / 2^c
//   of floats x * 2^-c where that is exact x != y, !!x !(x == y), x x <= y !(y < x), unless one may be a NaN select(!c,
//   a, b) select(c, b, a) bool(x) !(x == 0) T(U(x)) T(x) where the cast to U keeps everything that T(x) depends on;
//   likewise if x is an index T(c) % n, T(c) == 1 T(c), c, for a bool c: (u8(c) & 1) != 0 is how bools are kept in
//   memory min(T(c), T(d)), max T(c && d), T(c || d), for bools i == j, i < j for indices as i32 or i64, a condition on
//   the iteration
//
// Each rule holds for all values of the operands, Undef included, bit by bit (any NaN is as good as any other), and for
// exact real numbers: the rewritten term is no more and no less defined. It may differ in Uninit: min(T(c), T(d)) may
// be Uninit where `c && d` is false. That does no harm, since both terms read the same cells, and a term that reads an
// Uninit is never shown to equal anything. For this reason no rule drops an operand unless another one reads the same
// cell.
namespace haruspex::equivalence {

// Applies the operator to terms of the node. With normal forms, the operands are in normal form and so is the result;
// otherwise the operator stays as it is.
TermId apply(Graph& graph, NodeId node, const Operator& op, const std::vector<TermId>& operands);

}  // namespace haruspex::equivalence
