#include "generators/schedule/halide/directive.h"

#include <utility>

#include "generators/base/alternatives_impl.h"
#include "generators/base/ensure.h"

namespace haruspex {

template class Alternatives<
    schedule::halide::Split, schedule::halide::Tile, schedule::halide::Fuse, schedule::halide::Reorder,
    schedule::halide::Vectorize, schedule::halide::Unroll, schedule::halide::Parallel, schedule::halide::Serial,
    schedule::halide::Partition, schedule::halide::NeverPartition, schedule::halide::AlwaysPartition,
    schedule::halide::NeverPartitionAll, schedule::halide::AlwaysPartitionAll, schedule::halide::Prefetch,
    schedule::halide::ComputeRoot, schedule::halide::ComputeInline, schedule::halide::ComputeAt,
    schedule::halide::StoreRoot, schedule::halide::StoreAt, schedule::halide::HoistStorage,
    schedule::halide::HoistStorageRoot, schedule::halide::Bound, schedule::halide::BoundExtent,
    schedule::halide::AlignBounds, schedule::halide::ReorderStorage, schedule::halide::FoldStorage,
    schedule::halide::AlignStorage, schedule::halide::RingBuffer, schedule::halide::Specialize,
    schedule::halide::Atomic, schedule::halide::RFactor, schedule::halide::ComputeWith, schedule::halide::Async>;

}  // namespace haruspex

namespace haruspex::schedule::halide {

Schedule typed(const schedule::Schedule& schedule) {
    Schedule result;
    for (const schedule::Directive& directive : schedule.directives) {
        const auto* own = directive.as<Directive>();
        ENSURE(own != nullptr, "a directive of Halide: " + directive.text());
        result.directives.push_back(*own);
    }
    return result;
}

schedule::Schedule untyped(Schedule schedule) {
    schedule::Schedule result;
    for (Directive& directive : schedule.directives) { result.directives.emplace_back(std::move(directive)); }
    return result;
}

}  // namespace haruspex::schedule::halide
