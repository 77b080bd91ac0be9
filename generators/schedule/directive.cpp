#include "generators/schedule/directive.h"

#include "generators/base/alternatives_impl.h"

namespace haruspex {

template class Alternatives<schedule::Split, schedule::Tile, schedule::Fuse, schedule::Reorder, schedule::Vectorize,
                            schedule::Unroll, schedule::Parallel, schedule::Serial, schedule::ComputeRoot,
                            schedule::ComputeInline, schedule::ComputeAt, schedule::StoreRoot, schedule::StoreAt,
                            schedule::Bound, schedule::BoundExtent, schedule::AlignBounds, schedule::ReorderStorage,
                            schedule::FoldStorage, schedule::Specialize, schedule::Atomic, schedule::RFactor,
                            schedule::ComputeWith, schedule::Async>;

}  // namespace haruspex
