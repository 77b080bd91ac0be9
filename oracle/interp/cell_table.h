#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "generators/value/value.h"

// What is known of the cells of one tensor's component.
namespace haruspex::interp {

// Cells are numbered in a bounding box that grows by doubling. While the box is dense enough the numbers index flat
// arrays; when it is sparse (a diagonal, say) they are the keys of an open-addressing hash table.
class CellTable {
public:
    CellTable(value::Type type, std::size_t rank);

    // Where a cell's entry stands; valid until the next call of `locate` or `reserve`.
    struct Position {
        std::size_t index;
    };
    enum class Status : std::uint8_t { unknown, in_progress, known };

    // Makes room for the cell if need be. False when the box that holds all cells so far would have 2^62 numbers or
    // more: then nothing changes.
    [[nodiscard]] bool locate(const std::int64_t* cell, Position& position);
    // Makes room for a whole box at once; a hint.
    void reserve(const std::vector<std::int64_t>& min, const std::vector<std::int64_t>& extent);

    Status status(Position p) const;
    value::Value value(Position p) const;  // of a known cell
    void set_in_progress(Position p) { states_[p.index] = in_progress; }
    void set_unknown(Position p) { states_[p.index] = unknown; }
    void set_value(Position p, const value::Value& v);

    bool is_flat() const { return keys_.empty(); }

private:
    // A state byte: unknown, in progress, or known_ + the value's state.
    static constexpr std::uint8_t unknown = 0, in_progress = 1, known = 2;

    struct Box {
        std::vector<std::int64_t> min;
        std::vector<std::uint64_t> extent;
        std::vector<std::uint64_t> stride;
        std::uint64_t volume = 0;
    };

    bool number(const std::int64_t* cell, std::uint64_t& key) const;
    std::size_t probe(std::uint64_t key) const;
    bool grow(const std::int64_t* cell);
    void rebuild(Box box);
    void allocate(std::size_t capacity, bool flat);
    static bool measure(Box& box);

    value::Type type_;
    std::size_t rank_;
    Box box_;
    std::size_t capacity_ = 0;
    std::size_t used_ = 0;  // entries taken
    std::unique_ptr<std::uint8_t[]> states_;
    std::unique_ptr<std::uint64_t[]> bits_;
    std::vector<std::uint64_t> keys_;  // hashed only: key + 1, 0 for a free entry
};

inline CellTable::Status CellTable::status(Position p) const {
    const std::uint8_t state = states_[p.index];
    return state < known ? static_cast<Status>(state) : Status::known;
}

inline value::Value CellTable::value(Position p) const {
    switch (static_cast<value::State>(states_[p.index] - known)) {
        case value::State::undef: return value::Value::undef(type_);
        case value::State::uninit: return value::Value::uninit(type_);
        case value::State::defined: break;
    }
    return value::Value::from_bits(type_, bits_[p.index]);
}

inline void CellTable::set_value(Position p, const value::Value& v) {
    states_[p.index] = static_cast<std::uint8_t>(known + static_cast<std::uint8_t>(v.state()));
    bits_[p.index] = v.is_defined() ? v.bit_pattern() : 0;
}

inline bool CellTable::number(const std::int64_t* cell, std::uint64_t& key) const {
    std::uint64_t sum = 0;
    for (std::size_t d = 0; d < rank_; ++d) {
        // Unsigned, so that one comparison checks both sides.
        const std::uint64_t offset = static_cast<std::uint64_t>(cell[d]) - static_cast<std::uint64_t>(box_.min[d]);
        if (offset >= box_.extent[d]) { return false; }
        sum += offset * box_.stride[d];
    }
    key = sum;
    return true;
}

}  // namespace haruspex::interp
