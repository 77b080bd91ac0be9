#include "oracle/interp/cell_table.h"

#include <algorithm>
#include <new>
#include <utility>

#include "generators/base/ensure.h"

namespace haruspex::interp {
namespace {

constexpr std::uint64_t most_numbers = std::uint64_t{1} << 62;
// A box is kept flat up to this many entries whatever its density, and beyond it while at least one entry in
// `sparsest` is taken: flat lookups measured three to four times as fast as hashed ones.
constexpr std::uint64_t small_box = std::uint64_t{1} << 16;
constexpr std::uint64_t sparsest = 16;

// Keys of a diagonal are multiples of one number, so every bit of the key has to reach the low bits.
std::uint64_t mix(std::uint64_t key) {
    key = (key ^ (key >> 32)) * 0xd6e8feb86659fd93;
    key = (key ^ (key >> 32)) * 0xd6e8feb86659fd93;
    return key ^ (key >> 32);
}

}  // namespace

CellTable::CellTable(value::Type type, std::size_t rank, Order order) : type_(type), order_(order) {
    box_.dimensions.resize(rank);
    // Empty, except for the one cell of rank 0.
    if (rank == 0) {
        box_.volume = 1;
        allocate(1, true);
    }
}

bool CellTable::measure(Box& box) const {
    box.volume = 1;
    for (std::size_t i = 0; i < box.dimensions.size(); ++i) {
        Dimension& dimension = box.dimensions[dimension_in_order(i)];
        dimension.stride = box.volume;
        if (__builtin_mul_overflow(box.volume, dimension.extent, &box.volume) || box.volume >= most_numbers) {
            return false;
        }
    }
    return true;
}

void CellTable::allocate(std::size_t capacity, bool flat) {
    // Zeroed, which means `unknown`; pages are zeroed on first touch.
    entries_.reset(static_cast<Entry*>(std::calloc(capacity, sizeof(Entry))));
    if (!entries_) { throw std::bad_alloc(); }
    capacity_ = capacity;
    keys_.assign(flat ? 0 : capacity, 0);
    ++generation_;
}

// The entry of the key, or the free entry for it.
std::size_t CellTable::probe(std::uint64_t key) const {
    const std::size_t mask = capacity_ - 1;
    std::size_t entry = mix(key) & mask;
    while (keys_[entry] != 0 && keys_[entry] != key + 1) { entry = (entry + 1) & mask; }
    return entry;
}

// The smallest box that contains the cell; growing dimensions at least double if `doubling`.
CellTable::Box CellTable::grown(const std::int64_t* cell, bool doubling) const {
    Box box = box_;
    for (Dimension& dimension : box.dimensions) {
        const std::int64_t at = *cell++;
        if (dimension.extent == 0) {
            dimension.min = at;
            dimension.extent = 1;
            continue;
        }
        const auto offset = static_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(dimension.min);
        if (offset < dimension.extent) { continue; }
        const std::uint64_t distance = at > dimension.min ? offset : ~offset + 1;
        // The sums below stay clear of 64 bits; measure() refuses the box.
        if (distance >= most_numbers) {
            dimension.extent = most_numbers;
            continue;
        }
        const std::uint64_t doubled = doubling ? dimension.extent * 2 : 0;
        if (at > dimension.min) {
            dimension.extent = std::max(distance + 1, doubled);
            continue;
        }
        const std::uint64_t needed = distance + dimension.extent;
        // There is room below the cell only as far as integers reach.
        const auto room = static_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(INT64_MIN);
        const std::uint64_t slack = std::min(std::max(needed, doubled) - needed, room);
        dimension.min = at - static_cast<std::int64_t>(slack);
        dimension.extent = needed + slack;
    }
    return box;
}

bool CellTable::grow(const std::int64_t* cell) {
    for (const bool doubling : {true, false}) {
        if (Box box = grown(cell, doubling); measure(box)) {
            rebuild(std::move(box));
            return true;
        }
    }
    return false;
}

void CellTable::reserve(const std::vector<std::int64_t>& min, const std::vector<std::int64_t>& extent) {
    const std::size_t rank = box_.dimensions.size();
    ENSURE(min.size() == rank && extent.size() == rank, "a box of the tensor's rank");
    if (used_ != 0 || rank == 0 || std::ranges::any_of(extent, [](std::int64_t e) { return e <= 0; })) { return; }
    Box box = box_;
    for (std::size_t d = 0; d < rank; ++d) {
        box.dimensions[d].min = min[d];
        box.dimensions[d].extent = static_cast<std::uint64_t>(extent[d]);
    }
    constexpr std::uint64_t largest_reserve = std::uint64_t{1} << 24;
    if (!measure(box) || box.volume > largest_reserve) { return; }
    box_ = std::move(box);
    allocate(box_.volume, true);
}

void CellTable::rebuild(Box box) {
    const Box old_box = std::exchange(box_, std::move(box));
    const bool was_flat = is_flat();
    const Entries old_entries = std::move(entries_);
    const auto old_keys = std::exchange(keys_, {});
    const std::size_t old_capacity = capacity_;

    const bool flat = box_.volume <= std::max(small_box, sparsest * used_);
    std::size_t capacity = flat ? box_.volume : 1024;
    while (!flat && capacity < used_ * 4) { capacity *= 2; }
    allocate(capacity, flat);
    if (flat && was_flat) {
        copy_rows(old_box, old_entries.get());
        return;
    }
    used_ = 0;
    std::vector<std::int64_t> cell(box_.dimensions.size());
    for (std::size_t entry = 0; entry < old_capacity; ++entry) {
        if (old_entries[entry].state == unknown) { continue; }
        std::uint64_t key = was_flat ? entry : old_keys[entry] - 1;
        for (std::size_t d = 0; d < cell.size(); ++d) {
            const Dimension& dimension = old_box.dimensions[d];
            cell[d] = dimension.min + static_cast<std::int64_t>(key / dimension.stride % dimension.extent);
        }
        ENSURE(number(cell.data(), key), "a larger box holds the cells of the smaller");
        const std::size_t target = flat ? key : probe(key);
        entries_[target] = old_entries[entry];
        if (!flat) { keys_[target] = key + 1; }
        ++used_;
    }
}

// Copies a smaller flat box, one row of the fastest dimension after the other.
void CellTable::copy_rows(const Box& from, const Entry* entries) {
    if (from.volume == 0) { return; }
    std::vector<std::int64_t> cell;
    for (const Dimension& dimension : from.dimensions) { cell.push_back(dimension.min); }
    const std::size_t row = from.dimensions[dimension_in_order(0)].extent;
    for (std::size_t start = 0; start < from.volume; start += row) {
        std::uint64_t target = 0;
        ENSURE(number(cell.data(), target), "a larger box holds the cells of the smaller");
        std::copy_n(entries + start, row, entries_.get() + target);
        for (std::size_t i = 1; i < cell.size(); ++i) {
            const std::size_t d = dimension_in_order(i);
            const Dimension& dimension = from.dimensions[d];
            if (++cell[d] < dimension.min + static_cast<std::int64_t>(dimension.extent)) { break; }
            cell[d] = dimension.min;
        }
    }
}

}  // namespace haruspex::interp
