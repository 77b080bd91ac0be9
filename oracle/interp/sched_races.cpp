#include "oracle/interp/sched_races.h"

#include <limits>

namespace haruspex::interp::loops {
namespace {

// The actions of an iteration on a cell: outside atomic blocks, and inside.
constexpr std::uint8_t reads = 1, writes = 2, reads_atomically = 4, writes_atomically = 8;
// In `before`: the updaters did not all leave the same value, which matters only if another iteration writes.
constexpr std::uint8_t updaters_differ = 16;
constexpr std::uint8_t any_read = reads | reads_atomically;
constexpr std::uint8_t any_write = writes | writes_atomically;

// An iteration updates a cell atomically if it writes it in atomic blocks and never accesses it elsewhere. Such
// iterations do not conflict with each other. `before` holds the actions of updaters as …_atomically, and those of
// other iterations, in atomic blocks or not, as plain reads and writes.
bool is_updater(std::uint8_t now) { return (now & writes_atomically) != 0 && (now & (reads | writes)) == 0; }

std::uint8_t as_seen_later(std::uint8_t now) {
    if (is_updater(now)) { return now; }
    return static_cast<std::uint8_t>(((now & any_read) != 0 ? reads : 0) | ((now & any_write) != 0 ? writes : 0));
}

}  // namespace

bool is_same(const value::Value& a, const value::Value& b, bool ignores_sign_of_zero) {
    if (a == b) { return true; }
    if (!a.is_defined() || !b.is_defined()) { return false; }
    return ignores_sign_of_zero ? value::same_number(a, b) : value::same_result(a, b);
}

void Races::begin_loop(LevelId level, const std::string* variable, std::int64_t min) {
    Loop& loop = loops_[level.value];
    loop.variable = variable;
    loop.min = min;
    loop.first = loop.current + 1;
    loop.pending.clear();
}

bool Races::begin_iteration(LevelId level) {
    Loop& loop = loops_[level.value];
    if (loop.current == std::numeric_limits<std::uint32_t>::max() - 1) { return false; }
    ++loop.current;
    return true;
}

void Races::enter(const Loop& loop, Shadow& shadow) {
    if (shadow.stamp == loop.current) { return; }
    if (shadow.stamp < loop.first) {
        shadow = {};
    } else {
        shadow.before |= as_seen_later(shadow.now);
        if ((shadow.now & any_read) != 0) { shadow.reader = shadow.stamp; }
        if ((shadow.now & any_write) != 0) { shadow.writer = shadow.stamp; }
        shadow.now = 0;
    }
    shadow.stamp = loop.current;
}

Conflict Races::conflict(TroubleKind kind, LevelId level, const Shadow& shadow, bool other_writes) const {
    const Loop& loop = loops_[level.value];
    const std::uint32_t other = other_writes ? shadow.writer : shadow.reader;
    const auto variable = [&](std::uint32_t stamp) { return loop.min + static_cast<std::int64_t>(stamp - loop.first); };
    return {kind, level, variable(loop.current), variable(other), other_writes};
}

std::optional<Conflict> Races::read(LevelId level, Shadow& shadow, bool is_atomic, const Pending& access) {
    Loop& loop = loops_[level.value];
    enter(loop, shadow);
    if (is_atomic && (shadow.before & writes_atomically) != 0 && (shadow.now & (any_write | reads_atomically)) == 0) {
        loop.pending.push_back(access);
    }
    shadow.now |= is_atomic ? reads_atomically : reads;
    const std::uint8_t clashes = is_atomic ? writes : any_write;
    if ((shadow.before & clashes) == 0) { return std::nullopt; }
    return conflict(TroubleKind::read_write_race, level, shadow, true);
}

std::optional<Conflict> Races::write(LevelId level, Shadow& shadow, bool is_atomic, const Pending& access) {
    Loop& loop = loops_[level.value];
    enter(loop, shadow);
    // The first write of the iteration still sees the value of earlier iterations.
    if (shadow.before != 0 && (shadow.now & any_write) == 0) { loop.pending.push_back(access); }
    shadow.now |= is_atomic ? writes_atomically : writes;
    const std::uint8_t clashes = is_atomic ? reads : any_read;
    if ((shadow.before & clashes) == 0) { return std::nullopt; }
    return conflict(TroubleKind::read_write_race, level, shadow, false);
}

std::optional<Conflict> Races::free(LevelId level, Shadow& shadow) {
    enter(loops_[level.value], shadow);
    if (shadow.before == 0) { return std::nullopt; }
    const bool other_writes = (shadow.before & any_write) != 0;
    const auto kind = other_writes ? TroubleKind::write_write_race : TroubleKind::read_write_race;
    return conflict(kind, level, shadow, other_writes);
}

std::optional<Conflict> Races::judge(LevelId level, const Pending& access, const Cell& cell) const {
    Shadow& shadow = *cell.shadow;
    const bool all_before = !is_updater(shadow.now);  // an updater does not conflict with other updaters
    const std::uint8_t read_before = all_before ? any_read : reads;
    const std::uint8_t written_before = all_before ? any_write : writes;
    if ((shadow.now & any_read) != 0 && (shadow.before & written_before) != 0) {
        return conflict(TroubleKind::read_write_race, level, shadow, true);
    }
    if ((shadow.now & any_write) == 0) { return std::nullopt; }
    if ((shadow.before & read_before) != 0) { return conflict(TroubleKind::read_write_race, level, shadow, false); }
    const bool differs =
        !is_same(access.before, cell.value, zeros_are_one_) || (all_before && (shadow.before & updaters_differ) != 0);
    if (!differs) { return std::nullopt; }
    if ((shadow.before & written_before) != 0) { return conflict(TroubleKind::write_write_race, level, shadow, true); }
    shadow.before |= updaters_differ;
    return std::nullopt;
}

void Races::end_iteration(LevelId level, const std::function<Cell(const Pending&)>& look,
                          const std::function<void(const Pending&, const Conflict&)>& report) {
    Loop& loop = loops_[level.value];
    for (const Pending& access : loop.pending) {
        if (const auto found = judge(level, access, look(access))) { report(access, *found); }
    }
    loop.pending.clear();
}

}  // namespace haruspex::interp::loops
