#include "oracle/equivalence/memory.h"

#include <algorithm>
#include <utility>

#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"

namespace haruspex::equivalence {

ArrayId Memory::add_array(MemoryArray array) {
    arrays_.push_back(std::move(array));
    return {static_cast<std::uint32_t>(arrays_.size() - 1)};
}

ReadId Memory::add_read(MemoryRead read) {
    reads_.push_back(std::move(read));
    return {static_cast<std::uint32_t>(reads_.size() - 1)};
}

std::vector<Flow> Memory::flow(ReadId id) const {
    const MemoryRead& read = this->read(id);
    if (read.source) { return {{*read.source, *read.direct}}; }
    const MemoryArray& array = this->array(read.array);
    std::vector<Flow> result;
    if (array.is_single_assignment) {
        for (const MemoryWrite& write : array.writes) {
            const isl::map from = read.cell->apply_range(write.cell.reverse());
            if (!from.is_empty()) { result.push_back({write.node, from}); }
        }
        return result;
    }
    // A statement that reads what another iteration of it wrote is both source and sink, at different times.
    const std::string reader = "reader";
    const isl::map sink = read.cell->set_domain_tuple(reader);
    isl::union_map sources = isl::union_map::empty(sink.ctx());
    isl::union_map times = read.time->set_domain_tuple(reader).intersect_domain(sink.domain()).to_union_map();
    for (const MemoryWrite& write : array.writes) {
        // Of an unrolled loop most writes are to other cells; isl would look at them level by level.
        if (read.cell->apply_range(write.cell.reverse()).is_empty()) { continue; }
        sources = sources.unite(write.cell.to_union_map());
        times = times.unite(write.time->to_union_map());
    }
    if (sources.is_empty()) { return result; }
    const isl::union_map flow = isl::union_access_info(sink.to_union_map())
                                    .set_must_source(sources)
                                    .set_schedule_map(times)
                                    .compute_flow()
                                    .must_dependence();
    const std::string tuple = affine::tuple_name(read.cell->domain());
    flow.foreach_map([&](const isl::map& part) {
        const std::string writer = affine::tuple_name(part.domain());
        const auto found = std::ranges::find_if(
            array.writes, [&](const MemoryWrite& w) { return affine::tuple_name(w.cell.domain()) == writer; });
        ENSURE(found != array.writes.end(), "a source that is no write");
        const isl::map from = part.reverse().set_domain_tuple(tuple).coalesce();
        if (!from.is_empty()) { result.push_back({found->node, from}); }
    });
    // isl's order of the parts hangs on its hash tables.
    std::ranges::sort(result, {}, [](const Flow& flow) { return flow.writer; });
    return result;
}

}  // namespace haruspex::equivalence
