#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// Memory for a tensor between two unmapped pages, with padded strides. Free of Halide.
namespace haruspex::halide {

// A box of elements: minima and extents by dimension, innermost first.
struct Shape {
    std::vector<std::int64_t> min, extent;
    bool operator==(const Shape&) const = default;
    // Of its cells; 0 when an extent is not positive. Saturates at 2^62.
    std::uint64_t cells() const;
    // Calls with the coordinates of every cell, dimension 0 fastest.
    void for_each(const std::function<void(const std::vector<std::int64_t>& coordinates)>& visit) const;
};

// What follows each row, plane, …: a few elements that are no cells, or the next one at once.
enum class Rows : std::uint8_t { padded, dense };

// Which end of the memory touches its guard page: one of them catches reads and writes before the first cell, the other
// those behind the last.
enum class Flush : std::uint8_t { at_end, at_start };

// Strides are in elements; dimension 0 is dense, and after every row, plane, … a gap of a few elements follows. All
// bytes start out as `poison`, and everything between the guard pages that is no cell must still be poison after a run.
class GuardedBuffer {
public:
    // Throws std::bad_alloc when the memory cannot be had.
    GuardedBuffer(Shape shape, int element_bytes, Rows rows, Flush flush, std::uint8_t poison);
    GuardedBuffer(GuardedBuffer&& other) noexcept;
    GuardedBuffer(const GuardedBuffer&) = delete;
    GuardedBuffer& operator=(const GuardedBuffer&) = delete;
    ~GuardedBuffer();

    const Shape& shape() const { return shape_; }
    const std::vector<std::int64_t>& strides() const { return strides_; }
    // The cell at the minima.
    std::uint8_t* host() const { return host_; }

    // Sets every cell to the low bytes of its bit pattern; `bits` has one for each cell, dimension 0 fastest.
    void fill(const std::vector<std::uint64_t>& bits);
    // The bit patterns of all cells, dimension 0 fastest.
    std::vector<std::uint64_t> read() const;

    // Remembers the present bytes, cells included.
    void seal();
    // The first byte that has changed since `seal`, described relative to the cells: with cells_may_change, only bytes
    // that are no cell are looked at.
    std::optional<std::string> find_change(bool cells_may_change) const;

private:
    // Calls with the address of each cell, dimension 0 fastest.
    template <typename Visit>
    void for_each_cell(Visit visit) const;
    std::string describe(std::ptrdiff_t offset) const;

    Shape shape_;
    int element_bytes_;
    std::vector<std::int64_t> strides_;
    std::uint8_t* map_ = nullptr;  // with the guard pages
    std::size_t map_bytes_ = 0;
    std::uint8_t* inside_ = nullptr;  // between the guard pages
    std::size_t inside_bytes_ = 0;
    std::uint8_t* host_ = nullptr;
    std::size_t span_bytes_ = 0;  // from the first cell to the end of the last
    std::vector<std::uint8_t> sealed_;
};

}  // namespace haruspex::halide
