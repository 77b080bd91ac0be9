#pragma once

#include "generators/base/feature.h"
#include "harness/sched/syntax.h"

// What memory inside, which is linear, may have for dimensions.
namespace haruspex::conversion {

// Its extent is a product of them, and a product is soon written in another order: each factor becomes one.
//
//   allocate s[W*H]; … s[i] …     →     allocate s[W, H]; … s[i] …
//
// An Error for memory that has dimensions already.
[[nodiscard]] Supported<void> split_dimensions(sched::Program& program);

// A product lists the extents in the order of the tensor's arguments, and the dimensions may be stored in another one:
//
//   allocate s[W, H]; … s[x*H + y] …     →     allocate s[H, W]; … s[x*H + y] …
//
// Of the orders the first in which the fewest accesses are left with a product of indices, and then the fewest
// coordinates are 0; that of the program when no access is left with a product there. Each is an order of the same
// linear memory. No name in the program hides another, and an access has one index.
void order_dimensions(sched::Program& program);

}  // namespace haruspex::conversion
