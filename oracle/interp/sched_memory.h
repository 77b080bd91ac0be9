#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generators/value/value.h"
#include "oracle/interp/sched_execution.h"

// The cells of arrays: their places in memory, the gaps between the cells of a strided array, padding.
namespace haruspex::interp::loops {

// A dimension at run time.
struct Span {
    std::int64_t min = 0, extent = 0;
    std::optional<std::int64_t> stride;
    bool operator==(const Span&) const = default;
};

enum class CellKind : std::uint8_t { gap, proper, padding };

enum class LayoutFault : std::uint8_t { negative_extent, index_overflow, too_large };

// The limit on cells of a layout, and of all arrays of a program together.
inline constexpr std::int64_t most_cells = std::int64_t{1} << 26;

// Maps the indices of an access to places, in [0, size). Without strides, places are numbered with dimension 0 fastest;
// with strides, a place is the linear index minus the smallest one.
class Layout {
public:
    Layout() = default;
    // Extents are rounded up to a multiple of `multiple` (Padding).
    static std::expected<Layout, LayoutFault> make(std::vector<Span> spans, std::int64_t multiple);

    const std::vector<Span>& spans() const { return spans_; }
    std::size_t size() const { return size_; }
    bool is_linear() const { return is_linear_; }
    // The number of indices of an access.
    std::size_t rank() const { return is_linear_ ? 1 : axes_.size(); }
    bool has_padding() const { return has_padding_; }
    CellKind kind(std::size_t place) const {
        if (is_dense_) { return CellKind::proper; }
        return kinds_.empty() ? computed_kind(place) : kinds_[place];
    }
    // Whether no two coordinates share a place because each stride exceeds the reach of the smaller ones.
    bool is_nested() const { return is_nested_; }
    // Gives the coordinates of a place, minus their minima; false in a gap. The layout must be nested (ENSURE).
    bool coordinates(std::size_t place, std::vector<std::int64_t>& c) const;

    // Adds the contribution of index d to the place; false if the index is out of bounds. After all indices the place
    // may still be a gap.
    bool advance(std::size_t d, std::int64_t index, std::size_t& place) const {
        const Axis& axis = axes_[d];
        // The unsigned difference is at least the extent for every index outside, since min + extent fits.
        const std::uint64_t offset = static_cast<std::uint64_t>(index) - static_cast<std::uint64_t>(axis.min);
        if (offset >= axis.room) { return false; }
        place += offset * axis.step;
        return true;
    }

    // The indices of an access to the place.
    std::vector<std::int64_t> indices(std::size_t place) const;
    // Calls body(coordinates, place) for each coordinate minimum_d + c_d with 0 <= c_d < extent_d, dimension 0 fastest.
    void for_each(const std::function<void(const std::vector<std::int64_t>&, std::size_t)>& body) const;
    // "[0, 12) × [0, 4)", including the padding.
    std::string bounds() const;

private:
    // The axis of an index: [min, min + room), `step` places apart.
    struct Axis {
        std::int64_t min = 0;
        std::uint64_t room = 0;
        std::uint64_t step = 1;
    };

    // In a nested layout the place is a number whose digits are the coordinates, those of negative strides reversed.
    struct Digit {
        std::size_t dimension = 0;
        std::uint64_t weight = 1, room = 1;
        bool is_reversed = false;
    };

    std::optional<LayoutFault> number_axes(const std::vector<std::int64_t>& room);
    std::optional<LayoutFault> number_linearly(const std::vector<std::int64_t>& room);
    // Determines whether the layout is nested.
    void order_digits(const std::vector<std::int64_t>& room);
    CellKind computed_kind(std::size_t place) const;
    // Assigns the kind to the places of the box of coordinates [0, extent).
    void mark(const std::vector<std::int64_t>& extent, CellKind kind);
    // The distance in places from one coordinate of dimension d to the next.
    std::int64_t pitch(std::size_t d) const;

    std::vector<Span> spans_;
    bool is_linear_ = false;
    bool has_padding_ = false;
    std::vector<Axis> axes_;
    std::size_t size_ = 1;
    std::size_t origin_ = 0;  // the place of the coordinates' minimum
    bool is_nested_ = false;
    bool is_dense_ = true;         // all places are proper
    std::vector<Digit> digits_;    // by falling weight
    std::vector<CellKind> kinds_;  // empty: computed
};

// Gives the values in the padding of array number `array`.
class Filler {
public:
    explicit Filler(const std::optional<Padding>& padding) : padding_(padding.value_or(Padding{})) {}

    value::Value operator()(std::uint32_t array, value::Type type, std::size_t place) const;
    std::int64_t multiple() const { return padding_.multiple; }

private:
    Padding padding_;
};

}  // namespace haruspex::interp::loops
