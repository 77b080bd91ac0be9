#pragma once

#include "generators/base/feature.h"
#include "harness/sched/syntax.h"

// Gives dimensions to local memory, which is linear.
namespace haruspex::conversion {

// Splits linear memory into dimensions, one for each factor of its extent, in the order in which the factors are
// written.
//
//   allocate s[W*H]; … s[i] …     →     allocate s[W, H]; … s[i] …
//
// An Error for memory that already has several dimensions, a minimum or a stride.
[[nodiscard]] Supported<void> split_dimensions(sched::Program& program);

// Reorders dimensions. The product lists the extents in the order of the tensor's arguments, but the tensor may be
// stored in another order:
//
//   allocate s[W, H]; … s[x*H + y] …     →     allocate s[H, W]; … s[x*H + y] …
//
// Picks the order that leaves the fewest accesses with a product of indices, then the fewest zero coordinates, then the
// first one. Keeps the program's own order if it already leaves no product, or if there are more than five dimensions.
// Each order describes the same linear memory. No name in the program hides another, and an access has one index.
void order_dimensions(sched::Program& program);

}  // namespace haruspex::conversion
