#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "generators/value/value.h"

// The evaluated cells of one component of a tensor.
namespace haruspex::interp {

// Cells are numbered in a bounding box that grows by doubling. While the box is small or dense, the numbers index a
// flat array; if it is sparse (for a diagonal, say), they are the keys of an open-addressing hash table.
class CellTable {
public:
    // Which dimension is numbered fastest: cells that are neighbours along it are neighbours in memory.
    enum class Order : std::uint8_t { first_fastest, last_fastest };

    CellTable(value::Type type, std::size_t rank, Order order);

    // The position of a cell's entry.
    struct Position {
        std::size_t index = 0;
        std::uint32_t generation = 0;
    };
    enum class Status : std::uint8_t { unknown, in_progress, known };

    // Finds the position of the cell; makes room for it if necessary. False, without a change, if the box that holds
    // all cells so far would have 2^62 numbers or more.
    [[nodiscard]] bool locate(const std::int64_t* cell, Position& position);
    // Whether the position is still valid; the next call of `locate` or `reserve` may invalidate it.
    bool is_current(Position p) const { return p.generation == generation_; }
    // Makes room for a whole box at once; a hint.
    void reserve(const std::vector<std::int64_t>& min, const std::vector<std::int64_t>& extent);

    // These require a current position.
    Status status(Position p) const;
    value::Value value(Position p) const;  // of a known cell
    void set_in_progress(Position p) { entries_[p.index].state = in_progress; }
    void set_unknown(Position p) { entries_[p.index].state = unknown; }
    void set_value(Position p, const value::Value& v);

    bool is_flat() const { return keys_.empty(); }

private:
    // States of an entry: unknown, in progress, or `known` + the value's state.
    static constexpr std::uint8_t unknown = 0, in_progress = 1, known = 2;
    struct Entry {
        std::uint64_t bits;
        std::uint8_t state;
    };
    struct Free {
        void operator()(Entry* entries) const { std::free(entries); }
    };
    using Entries = std::unique_ptr<Entry[], Free>;

    struct Dimension {
        std::int64_t min = 0;
        std::uint64_t extent = 0;
        std::uint64_t stride = 0;
    };
    struct Box {
        std::vector<Dimension> dimensions;
        std::uint64_t volume = 0;
    };

    bool number(const std::int64_t* cell, std::uint64_t& key) const;
    std::size_t probe(std::uint64_t key) const;
    bool grow(const std::int64_t* cell);
    Box grown(const std::int64_t* cell, bool doubling) const;
    bool measure(Box& box) const;
    void rebuild(Box box);
    void allocate(std::size_t capacity, bool flat);
    void copy_rows(const Box& from, const Entry* entries);
    std::size_t dimension_in_order(std::size_t i) const {
        return order_ == Order::first_fastest ? i : box_.dimensions.size() - 1 - i;
    }

    value::Type type_;
    Order order_;
    std::uint32_t generation_ = 0;
    Box box_;
    Entries entries_;
    std::size_t capacity_ = 0;
    std::size_t used_ = 0;             // entries taken, or more: one may be counted again after an error
    std::vector<std::uint64_t> keys_;  // hashed only: key + 1, 0 for a free entry
};

inline CellTable::Status CellTable::status(Position p) const {
    const std::uint8_t state = entries_[p.index].state;
    return state < known ? static_cast<Status>(state) : Status::known;
}

inline value::Value CellTable::value(Position p) const {
    const Entry& entry = entries_[p.index];
    switch (static_cast<value::State>(entry.state - known)) {
        case value::State::undef: return value::Value::undef(type_);
        case value::State::uninit: return value::Value::uninit(type_);
        case value::State::defined: break;
    }
    return value::Value::from_bits(type_, entry.bits);
}

inline void CellTable::set_value(Position p, const value::Value& v) {
    Entry& entry = entries_[p.index];
    entry.state = static_cast<std::uint8_t>(known + static_cast<std::uint8_t>(v.state()));
    entry.bits = v.is_defined() ? v.bit_pattern() : 0;
}

inline bool CellTable::number(const std::int64_t* cell, std::uint64_t& key) const {
    std::uint64_t sum = 0;
    for (const Dimension& dimension : box_.dimensions) {
        // Unsigned, so that one comparison checks both sides.
        const std::uint64_t offset = static_cast<std::uint64_t>(*cell++) - static_cast<std::uint64_t>(dimension.min);
        if (offset >= dimension.extent) { return false; }
        sum += offset * dimension.stride;
    }
    key = sum;
    return true;
}

inline bool CellTable::locate(const std::int64_t* cell, Position& position) {
    std::uint64_t key = 0;
    if (!number(cell, key)) [[unlikely]] { return grow(cell) && locate(cell, position); }
    if (is_flat()) {
        used_ += entries_[key].state == unknown ? 1 : 0;
        position = {key, generation_};
        return true;
    }
    const std::size_t entry = probe(key);
    if (keys_[entry] == 0) {
        if ((used_ + 1) * 2 > capacity_) {
            rebuild(box_);
            return locate(cell, position);
        }
        keys_[entry] = key + 1;
        ++used_;
    }
    position = {entry, generation_};
    return true;
}

}  // namespace haruspex::interp
