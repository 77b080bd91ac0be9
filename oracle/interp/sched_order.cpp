#include "oracle/interp/sched_order.h"

#include <algorithm>
#include <utility>

namespace haruspex::interp::loops {

// Times begin at 1, since 0 means no access.
Order::Order(std::uint32_t strands) : clocks_(strands, Clock(strands, 0)) { clocks_.front().front() = 1; }

void Order::fork(StrandId strand, StrandId first, StrandId second) {
    const Clock before = publish(strand);
    for (const StrandId branch : {first, second}) {
        clocks_[branch.value] = before;
        ++clocks_[branch.value][branch.value];
    }
}

void Order::join(StrandId strand, StrandId branch) { learn(strand, clocks_[branch.value]); }

Clock Order::publish(StrandId strand) {
    Clock& clock = clocks_[strand.value];
    Clock known = clock;
    ++clock[strand.value];
    return known;
}

void Order::learn(StrandId strand, const Clock& clock) {
    Clock& own = clocks_[strand.value];
    for (std::size_t s = 0; s < own.size(); ++s) { own[s] = std::max(own[s], clock[s]); }
}

Touch* Order::at(std::vector<Touch>& touches, std::size_t cells, std::size_t place) const {
    const std::size_t strands = clocks_.size();
    if (touches.size() < cells * strands) { touches.resize(cells * strands); }
    return touches.data() + place * strands;
}

std::optional<UnorderedAccess> Order::find_unordered(StrandId strand, const Touch* touches, bool other_writes) const {
    const Clock& clock = clocks_[strand.value];
    for (std::size_t s = 0; s < clock.size(); ++s) {
        if (s == strand.value || touches[s].time <= clock[s]) { continue; }
        return UnorderedAccess{TroubleKind::read_write_race, other_writes, touches[s].step};
    }
    return std::nullopt;
}

std::optional<UnorderedAccess> Order::read(StrandId strand, Touches& touches, std::size_t cells, std::size_t place,
                                           StepId step) {
    at(touches.reads, cells, place)[strand.value] = {clocks_[strand.value][strand.value], step};
    return find_unordered(strand, at(touches.writes, cells, place), true);
}

std::optional<UnorderedAccess> Order::write(StrandId strand, Touches& touches, std::size_t cells, std::size_t place,
                                            StepId step) {
    Touch* const writes = at(touches.writes, cells, place);
    writes[strand.value] = {clocks_[strand.value][strand.value], step};
    auto clash = find_unordered(strand, writes, true);
    if (clash) { clash->kind = TroubleKind::write_write_race; }
    return clash ? clash : find_unordered(strand, at(touches.reads, cells, place), false);
}

bool Units::add(std::int64_t count, Clock known) {
    if (__builtin_add_overflow(count_, count, &count_)) { return false; }
    batches_.push_back({count, std::move(known)});
    return true;
}

void Units::take(std::int64_t count, Order& order, StrandId strand) {
    count_ -= count;
    while (count > 0) {
        Batch& batch = batches_.front();
        const std::int64_t taken = std::min(count, batch.count);
        if (taken > 0) { order.learn(strand, batch.known); }
        count -= taken;
        batch.count -= taken;
        if (batch.count == 0) { batches_.pop_front(); }
    }
}

}  // namespace haruspex::interp::loops
