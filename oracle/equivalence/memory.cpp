#include "oracle/equivalence/memory.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "generators/affine/coalesce.h"
#include "generators/affine/convex.h"

namespace haruspex::equivalence {
namespace {

// The parts of a time, { node[i] -> [t_d] } for each d, on these iterations and possibly on more; and those that are
// numbers.
struct Parts {
    std::vector<isl::map> all;
    std::vector<std::optional<isl::set>> numbers;

    explicit Parts(const isl::map& of_iterations) {
        const isl::map time = affine::unrestricted(of_iterations);
        const isl::multi_aff identity = time.range().space().identity_multi_aff_on_domain();
        for (unsigned d = 0; d < time.range_tuple_dim(); ++d) {
            all.push_back(time.apply_range(isl::map(identity.at(static_cast<int>(d)).as_map())));
            const isl::set range = all.back().range();
            numbers.push_back(range.is_singleton() ? std::optional(range) : std::nullopt);
        }
    }
};

// A write with the iterations of a read that may see it.
struct Candidate {
    const MemoryWrite* write;
    std::shared_ptr<const Parts> time;
    isl::map pairs;             // { reader[i] -> writer[j] }
    bool is_by_number = false;  // numbers decide the order of whole loop nests
};

// { node[i] -> [array[c], t_0, …, t_(d-1)] }
isl::map place_and_time(const isl::map& cell, const Parts& time, std::size_t d) {
    isl::map both = cell;
    for (std::size_t k = 0; k < d; ++k) { both = both.range_product(time.all[k]); }
    return both;
}

void drop_empty(std::vector<Candidate>& candidates) {
    std::erase_if(candidates, [](const Candidate& candidate) { return candidate.pairs.is_empty(); });
}

// Groups the pairs with the writer before the reader by the first part d of their times that differs. Writers that are
// not before the reader are in no group.
std::vector<std::vector<Candidate>> by_level(const MemoryRead& read, const Parts& here,
                                             const std::vector<MemoryWrite>& writes) {
    std::vector<std::vector<Candidate>> levels(here.all.size());
    const isl::map earlier(read.time->ctx(), "{ [a] -> [b] : b < a }");
    for (const MemoryWrite& write : writes) {
        isl::map tied = read.cell->apply_range(write.cell.reverse());
        if (tied.is_empty()) { continue; }
        const auto there = std::make_shared<const Parts>(*write.time);
        for (std::size_t d = 0; d < levels.size() && !tied.is_empty(); ++d) {
            if (here.numbers[d] && there->numbers[d] && here.numbers[d]->is_equal(*there->numbers[d])) { continue; }
            const isl::map back = there->all[d].reverse();
            const isl::map before = tied.intersect(here.all[d].apply_range(earlier).apply_range(back));
            // Numbers may be parameters, ordered for some of their values only.
            const bool is_by_number = here.numbers[d] && there->numbers[d] && tied.is_subset(before);
            if (!before.is_empty()) { levels[d].push_back({&write, there, before, is_by_number}); }
            tied = tied.intersect(here.all[d].apply_range(back));
        }
    }
    return levels;
}

bool is_one_number(const std::vector<Candidate>& candidates, std::size_t d) {
    const auto& first = candidates.front().time->numbers[d];
    return first && std::ranges::all_of(candidates, [&](const Candidate& candidate) {
               const auto& number = candidate.time->numbers[d];
               return number && number->is_equal(*first);
           });
}

// Keeps the writer with the greatest time for each iteration of the reader. All times agree before the d-th part.
// Proceeds part by part, over all writes at once: the successive writes of an unrolled loop to one cell then form one
// convex set, whereas comparing writes in pairs would split it into many.
void keep_last(std::vector<Candidate>& candidates, std::size_t d) {
    for (; d < candidates.front().time->all.size() && candidates.size() > 1; ++d) {
        if (is_one_number(candidates, d)) { continue; }
        isl::map all = candidates.front().pairs.apply_range(candidates.front().time->all[d]);
        for (const Candidate& candidate : candidates) {
            all = all.unite(candidate.pairs.apply_range(candidate.time->all[d]));
        }
        all = affine::coalesced(all);
        if (all.is_single_valued()) { continue; }
        const isl::map last = all.lexmax();
        for (Candidate& candidate : candidates) {
            candidate.pairs = candidate.pairs.intersect(last.apply_range(candidate.time->all[d].reverse()));
        }
        drop_empty(candidates);
    }
    for (Candidate& candidate : candidates) {
        isl::map& pairs = candidate.pairs;
        // isl would write a single-valued relation with divisions.
        if (pairs.is_single_valued()) { continue; }
        // This is the only write left although not all parts were compared.
        const isl::map& time = *candidate.write->time;
        pairs = pairs.intersect(pairs.apply_range(time).lexmax().apply_range(time.reverse()));
        // Lanes have one time, and may write one value to one cell (conduct.cpp).
        if (!pairs.is_single_valued()) { pairs = pairs.lexmax(); }
    }
}

}  // namespace

ArrayId Memory::add_array(MemoryArray array) {
    arrays_.push_back(std::move(array));
    return {static_cast<std::uint32_t>(arrays_.size() - 1)};
}

ReadId Memory::add_read(MemoryRead read) {
    reads_.push_back(std::move(read));
    return {static_cast<std::uint32_t>(reads_.size() - 1)};
}

// Writes whose times differ from the read's only at a late part are late: goes level by level from the last one.
std::vector<Flow> Memory::last_before(const MemoryRead& read) {
    std::vector<Flow> result;
    isl::set rest = read.cell->domain();
    const Parts time(*read.time);
    std::vector<std::vector<Candidate>> levels = by_level(read, time, array(read.array).writes);
    const auto add = [&](NodeId writer, const isl::map& from) {
        if (from.is_empty()) { return; }
        rest = rest.subtract(from.domain());
        const auto known = std::ranges::find(result, writer, &Flow::writer);
        if (known != result.end()) {
            known->from = known->from.unite(from);
        } else {
            result.push_back({writer, from});
        }
    };
    for (std::size_t d = levels.size(); d-- > 0 && !rest.is_empty();) {
        std::vector<Candidate>& candidates = levels[d];
        for (Candidate& candidate : candidates) { candidate.pairs = candidate.pairs.intersect_domain(rest); }
        drop_empty(candidates);
        if (candidates.empty()) { continue; }
        if (std::ranges::all_of(candidates, &Candidate::is_by_number)) {
            std::vector<NodeId> writers;
            for (const Candidate& candidate : candidates) { writers.push_back(candidate.write->node); }
            const isl::map here = place_and_time(*read.cell, time, d).intersect_domain(rest);
            for (const Flow& last : last_writes(read.array, writers, d)) {
                add(last.writer, here.apply_range(last.from));
            }
        } else {
            keep_last(candidates, d);
            for (const Candidate& candidate : candidates) { add(candidate.write->node, candidate.pairs); }
        }
        rest = affine::coalesced(rest);
    }
    for (Flow& flow : result) { flow.from = affine::coalesced(flow.from); }
    std::ranges::sort(result, {}, &Flow::writer);
    return result;
}

const std::vector<Flow>& Memory::last_writes(ArrayId array, const std::vector<NodeId>& writers, std::size_t d) {
    const auto known = std::ranges::find_if(last_writes_, [&](const LastWrites& writes) {
        return writes.array == array && writes.d == d && writes.writers == writers;
    });
    if (known != last_writes_.end()) { return known->last; }
    std::vector<Candidate> candidates;
    for (const NodeId writer : writers) {
        const MemoryWrite& write = *std::ranges::find(this->array(array).writes, writer, &MemoryWrite::node);
        const auto time = std::make_shared<const Parts>(*write.time);
        candidates.push_back({&write, time, place_and_time(write.cell, *time, d).reverse()});
    }
    keep_last(candidates, d);
    LastWrites writes{array, writers, d, {}};
    for (const Candidate& candidate : candidates) {
        writes.last.push_back({candidate.write->node, affine::coalesced(candidate.pairs)});
    }
    return last_writes_.emplace_back(std::move(writes)).last;
}

std::vector<Flow> Memory::flow(ReadId id) {
    const MemoryRead& read = this->read(id);
    if (read.source) { return {{*read.source, *read.direct}}; }
    const MemoryArray& array = this->array(read.array);
    if (!array.is_single_assignment) { return last_before(read); }
    std::vector<Flow> result;
    for (const MemoryWrite& write : array.writes) {
        const isl::map from = read.cell->apply_range(write.cell.reverse());
        if (!from.is_empty()) { result.push_back({write.node, from}); }
    }
    return result;
}

}  // namespace haruspex::equivalence
