#include "oracle/interp/cell_table.h"

#include <algorithm>
#include <utility>

#include "generators/base/ensure.h"

namespace haruspex::interp {
namespace {

constexpr std::uint64_t most_numbers = std::uint64_t{1} << 62;
// A box is kept flat up to this many entries whatever its density, and beyond it while at least one entry in
// `sparsest` is taken: flat lookups measured three to four times as fast as hashed ones.
constexpr std::uint64_t small_box = std::uint64_t{1} << 16;
constexpr std::uint64_t sparsest = 16;

std::uint64_t mix(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15;
    return key ^ (key >> 32);
}

}  // namespace

CellTable::CellTable(value::Type type, std::size_t rank) : type_(type), rank_(rank) {
    box_.min.assign(rank, 0);
    // Empty, but of volume 1 when the rank is 0.
    box_.extent.assign(rank, 0);
    box_.stride.assign(rank, 0);
    if (rank == 0) {
        box_.volume = 1;
        allocate(1, true);
    }
}

bool CellTable::measure(Box& box) {
    box.volume = 1;
    for (std::size_t d = 0; d < box.extent.size(); ++d) {
        box.stride[d] = box.volume;
        if (__builtin_mul_overflow(box.volume, box.extent[d], &box.volume) || box.volume >= most_numbers) {
            return false;
        }
    }
    return true;
}

void CellTable::allocate(std::size_t capacity, bool flat) {
    capacity_ = capacity;
    states_ = std::make_unique<std::uint8_t[]>(capacity);
    bits_ = std::make_unique_for_overwrite<std::uint64_t[]>(capacity);
    keys_.assign(flat ? 0 : capacity, 0);
}

// The entry of the key, or the free entry where it belongs.
std::size_t CellTable::probe(std::uint64_t key) const {
    const std::size_t mask = capacity_ - 1;
    std::size_t entry = mix(key) & mask;
    while (keys_[entry] != 0 && keys_[entry] != key + 1) { entry = (entry + 1) & mask; }
    return entry;
}

bool CellTable::locate(const std::int64_t* cell, Position& position) {
    std::uint64_t key = 0;
    if (!number(cell, key)) {
        if (!grow(cell)) { return false; }
        ENSURE(number(cell, key), "a grown table holds the cell it grew for");
    }
    if (is_flat()) {
        used_ += states_[key] == unknown ? 1 : 0;  // a bound is enough: an entry may be counted again after an error
        position.index = key;
        return true;
    }
    std::size_t entry = probe(key);
    if (keys_[entry] == 0) {
        if ((used_ + 1) * 2 > capacity_) {
            rebuild(box_);
            return locate(cell, position);
        }
        keys_[entry] = key + 1;
        ++used_;
    }
    position.index = entry;
    return true;
}

bool CellTable::grow(const std::int64_t* cell) {
    const auto grown = [&](bool doubling) {
        Box box = box_;
        for (std::size_t d = 0; d < rank_; ++d) {
            if (box.extent[d] == 0) {
                box.min[d] = cell[d];
                box.extent[d] = 1;
                continue;
            }
            const auto offset = static_cast<std::uint64_t>(cell[d]) - static_cast<std::uint64_t>(box.min[d]);
            if (offset < box.extent[d]) { continue; }
            const std::uint64_t distance = cell[d] > box.min[d] ? offset : ~offset + 1;
            // The sums below stay clear of 64 bits; measure() refuses the box.
            if (distance >= most_numbers) {
                box.extent[d] = most_numbers;
                continue;
            }
            if (cell[d] > box.min[d]) {
                box.extent[d] = std::max(distance + 1, doubling ? box.extent[d] * 2 : 0);
            } else {
                const std::uint64_t needed = distance + box.extent[d];
                const std::uint64_t wanted = std::max(needed, doubling ? box.extent[d] * 2 : 0);
                // Room below the cell only where there are integers.
                const auto room = static_cast<std::uint64_t>(cell[d]) - static_cast<std::uint64_t>(INT64_MIN);
                const std::uint64_t slack = std::min(wanted - needed, room);
                box.min[d] = cell[d] - static_cast<std::int64_t>(slack);
                box.extent[d] = needed + slack;
            }
        }
        return box;
    };
    for (const bool doubling : {true, false}) {
        if (Box box = grown(doubling); measure(box)) {
            rebuild(std::move(box));
            return true;
        }
    }
    return false;
}

void CellTable::reserve(const std::vector<std::int64_t>& min, const std::vector<std::int64_t>& extent) {
    ENSURE(min.size() == rank_ && extent.size() == rank_, "a box of the tensor's rank");
    if (used_ != 0 || rank_ == 0 || std::ranges::any_of(extent, [](std::int64_t e) { return e <= 0; })) { return; }
    Box box = box_;
    box.min = min;
    std::ranges::copy(extent, box.extent.begin());
    constexpr std::uint64_t largest_reserve = std::uint64_t{1} << 24;
    if (!measure(box) || box.volume > largest_reserve) { return; }
    box_ = std::move(box);
    allocate(box_.volume, true);
}

void CellTable::rebuild(Box box) {
    const Box old_box = std::exchange(box_, std::move(box));
    const bool was_flat = is_flat();
    const auto old_states = std::exchange(states_, nullptr);
    const auto old_bits = std::exchange(bits_, nullptr);
    const auto old_keys = std::exchange(keys_, {});
    const std::size_t old_capacity = capacity_;

    const bool flat = box_.volume <= std::max(small_box, sparsest * used_);
    std::size_t capacity = flat ? box_.volume : 1024;
    while (!flat && capacity < used_ * 4) { capacity *= 2; }
    allocate(capacity, flat);

    used_ = 0;
    std::vector<std::int64_t> cell(rank_);
    for (std::size_t entry = 0; entry < old_capacity; ++entry) {
        if (old_states[entry] == unknown) { continue; }
        std::uint64_t key = was_flat ? entry : old_keys[entry] - 1;
        for (std::size_t d = 0; d < rank_; ++d) {
            cell[d] = old_box.min[d] + static_cast<std::int64_t>(key % old_box.extent[d]);
            key /= old_box.extent[d];
        }
        ENSURE(number(cell.data(), key), "a larger box holds the cells of the smaller");
        const std::size_t target = flat ? key : probe(key);
        states_[target] = old_states[entry];
        bits_[target] = old_bits[entry];
        if (!flat) { keys_[target] = key + 1; }
        ++used_;
    }
}

}  // namespace haruspex::interp
