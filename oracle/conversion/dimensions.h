#pragma once

#include "generators/base/feature.h"
#include "harness/sched/syntax.h"

// Dimensions for local memory, which is linear.
namespace haruspex::conversion {

// Splits the extent into dimensions, one for each factor: a product is easily written in another order.
//
//   allocate s[W*H]; … s[i] …     →     allocate s[W, H]; … s[i] …
//
// An Error for memory that already has several dimensions, a minimum or a stride.
[[nodiscard]] Supported<void> split_dimensions(sched::Program& program);

// Reorders dimensions. A product lists the extents in the order of the tensor's arguments, but the dimensions may be
// stored in another one:
//
//   allocate s[W, H]; … s[x*H + y] …     →     allocate s[H, W]; … s[x*H + y] …
//
// Picks the order that leaves the fewest accesses with a product of indices, then the fewest zero coordinates, then the
// first one. Keeps the program's own order if it already leaves no product. Each order describes the same linear
// memory. No name in the program hides another, and an access has one index.
void order_dimensions(sched::Program& program);

}  // namespace haruspex::conversion
