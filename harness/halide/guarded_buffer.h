#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// Memory for a tensor between two unmapped pages, with padded strides. Does not depend on Halide.
namespace haruspex::halide {

// A box of cells. `min` and `extent` have one number for each dimension, innermost first.
struct Shape {
    std::vector<std::int64_t> min, extent;
    bool operator==(const Shape&) const = default;
    // Returns the number of cells, at most 2^62; 0 if an extent is not positive.
    std::uint64_t cells() const;
    // Visits the coordinates of every cell, dimension 0 fastest.
    void for_each(const std::function<void(const std::vector<std::int64_t>& coordinates)>& visit) const;
};

// Whether a gap of a few elements follows each row, plane, ….
enum class Rows : std::uint8_t { padded, dense };

// Which cell touches its guard page: the last one, so that accesses behind the cells are caught, or the first one, so
// that accesses before the cells are caught.
enum class Flush : std::uint8_t { at_end, at_start };

// Strides are in elements; dimension 0 is dense. All bytes between the guard pages start out as `poison`. Bytes that
// belong to no cell must not change during a run (find_change).
class GuardedBuffer {
public:
    // Throws std::bad_alloc if the memory is not available.
    GuardedBuffer(Shape shape, int element_bytes, Rows rows, Flush flush, std::uint8_t poison);
    GuardedBuffer(GuardedBuffer&& other) noexcept;
    GuardedBuffer(const GuardedBuffer&) = delete;
    GuardedBuffer& operator=(const GuardedBuffer&) = delete;
    ~GuardedBuffer();

    const Shape& shape() const { return shape_; }
    const std::vector<std::int64_t>& strides() const { return strides_; }
    // Returns the address of the cell at the minima.
    std::uint8_t* host() const { return host_; }

    // Sets every cell to the low bytes of its bit pattern. `bits` has one bit pattern for each cell, dimension 0
    // fastest.
    void fill(const std::vector<std::uint64_t>& bits);
    // Returns the bit patterns of all cells, dimension 0 fastest.
    std::vector<std::uint64_t> read() const;

    // Remembers the present bytes, cells included.
    void seal();
    // Describes the place of the first byte that has changed since seal(), relative to the cells. With
    // `cells_may_change`, only bytes outside the cells are checked.
    std::optional<std::string> find_change(bool cells_may_change) const;

private:
    // Visits the address of each cell, dimension 0 fastest.
    template <typename Visit>
    void for_each_cell(Visit visit) const;
    std::string describe(std::ptrdiff_t offset) const;

    Shape shape_;
    int element_bytes_;
    std::vector<std::int64_t> strides_;
    std::uint8_t* map_ = nullptr;  // including the guard pages
    std::size_t map_bytes_ = 0;
    std::uint8_t* inside_ = nullptr;  // between the guard pages
    std::size_t inside_bytes_ = 0;
    std::uint8_t* host_ = nullptr;
    std::size_t span_bytes_ = 0;  // from the beginning of the first cell to the end of the last
    std::vector<std::uint8_t> sealed_;
};

}  // namespace haruspex::halide
