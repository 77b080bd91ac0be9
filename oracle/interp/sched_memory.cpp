#include "oracle/interp/sched_memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <ranges>

#include "generators/base/choice.h"
#include "generators/base/ensure.h"
#include "generators/value/operators.h"

namespace haruspex::interp::loops {
namespace {

using value::Int128;

std::int64_t round_up(std::int64_t extent, std::int64_t multiple) {
    return (extent + multiple - 1) / multiple * multiple;
}

// The next coordinate of a box, dimension 0 fastest; false after the last.
bool next(std::vector<std::int64_t>& c, const std::vector<std::int64_t>& extent) {
    for (std::size_t d = 0; d < c.size(); ++d) {
        if (++c[d] < extent[d]) { return true; }
        c[d] = 0;
    }
    return false;
}

bool is_empty(const std::vector<std::int64_t>& extent) {
    return std::ranges::any_of(extent, [](std::int64_t e) { return e == 0; });
}

}  // namespace

std::expected<Layout, LayoutFault> Layout::make(std::vector<Span> spans, std::int64_t multiple) {
    Layout layout;
    std::vector<std::int64_t> room;
    std::vector<std::int64_t> extent;
    Int128 coordinates = 1;
    for (const Span& span : spans) {
        if (span.extent < 0) { return std::unexpected(LayoutFault::negative_extent); }
        // Bounded here, so that no product below leaves 128 bits and no rounding up leaves 64.
        if (span.extent > most_cells) { return std::unexpected(LayoutFault::too_large); }
        extent.push_back(span.extent);
        room.push_back(round_up(span.extent, multiple));
        // With strides of zero many coordinates share few cells, but each of them is visited.
        coordinates *= room.back();
        if (coordinates > most_cells) { return std::unexpected(LayoutFault::too_large); }
        if (span.min > std::numeric_limits<std::int64_t>::max() - room.back()) {
            return std::unexpected(LayoutFault::index_overflow);
        }
    }
    layout.is_linear_ = !spans.empty() && spans.front().stride.has_value();
    layout.has_padding_ = room != extent;
    layout.spans_ = std::move(spans);
    const auto fault = layout.is_linear_ ? layout.number_linearly(room) : layout.number_axes(room);
    if (fault) { return std::unexpected(*fault); }
    if (layout.size_ == 0) {
        layout.has_padding_ = false;
        return layout;
    }
    layout.order_digits(room);
    layout.is_dense_ = layout.is_nested_ && !layout.has_padding_ && coordinates == static_cast<Int128>(layout.size_);
    // A table of kinds is faster than computing them, but building it takes time, too.
    constexpr std::size_t largest_table = 1U << 14U;
    if (layout.is_dense_ || (layout.is_nested_ && layout.size_ > largest_table)) { return layout; }
    layout.kinds_.assign(layout.size_, CellKind::gap);
    if (layout.has_padding_) { layout.mark(room, CellKind::padding); }
    layout.mark(extent, CellKind::proper);
    layout.has_padding_ = std::ranges::find(layout.kinds_, CellKind::padding) != layout.kinds_.end();
    return layout;
}

void Layout::order_digits(const std::vector<std::int64_t>& room) {
    for (std::size_t d = 0; d < room.size(); ++d) {
        if (room[d] == 1) { continue; }
        const std::int64_t step = pitch(d);
        // Its magnitude is below the size, or the reach would not fit.
        digits_.push_back(
            {d, static_cast<std::uint64_t>(std::abs(step)), static_cast<std::uint64_t>(room[d]), step < 0});
    }
    std::ranges::sort(digits_, std::greater<>(), &Digit::weight);
    is_nested_ = true;
    std::uint64_t reach = 0;
    for (const Digit& digit : std::views::reverse(digits_)) {
        is_nested_ = is_nested_ && digit.weight > reach;
        reach += digit.weight * (digit.room - 1);
    }
}

bool Layout::coordinates(std::size_t place, std::vector<std::int64_t>& c) const {
    ENSURE(is_nested_, "a place has one coordinate only in a nested layout");
    c.assign(spans_.size(), 0);
    for (const Digit& digit : digits_) {
        const std::uint64_t value = place / digit.weight;
        if (value >= digit.room) { return false; }
        place -= value * digit.weight;
        c[digit.dimension] = static_cast<std::int64_t>(digit.is_reversed ? digit.room - 1 - value : value);
    }
    return place == 0;
}

CellKind Layout::computed_kind(std::size_t place) const {
    bool is_proper = true;
    for (const Digit& digit : digits_) {
        const std::uint64_t value = place / digit.weight;
        if (value >= digit.room) { return CellKind::gap; }
        place -= value * digit.weight;
        const auto c = static_cast<std::int64_t>(digit.is_reversed ? digit.room - 1 - value : value);
        is_proper = is_proper && c < spans_[digit.dimension].extent;
    }
    if (place != 0) { return CellKind::gap; }
    return is_proper ? CellKind::proper : CellKind::padding;
}

std::optional<LayoutFault> Layout::number_axes(const std::vector<std::int64_t>& room) {
    if (is_empty(room)) {
        size_ = 0;
        axes_.assign(room.size(), {0, 0, 0});
        for (std::size_t d = 0; d < room.size(); ++d) {
            axes_[d].min = spans_[d].min;
            axes_[d].room = static_cast<std::uint64_t>(room[d]);
        }
        return std::nullopt;
    }
    Int128 size = 1;
    for (std::size_t d = 0; d < room.size(); ++d) {
        axes_.push_back({spans_[d].min, static_cast<std::uint64_t>(room[d]), static_cast<std::uint64_t>(size)});
        size *= room[d];
        if (size > most_cells) { return LayoutFault::too_large; }
    }
    size_ = static_cast<std::size_t>(size);
    return std::nullopt;
}

std::optional<LayoutFault> Layout::number_linearly(const std::vector<std::int64_t>& room) {
    if (is_empty(room)) {
        size_ = 0;
        axes_.push_back({0, 0, 1});
        return std::nullopt;
    }
    Int128 lowest = 0;
    Int128 highest = 0;
    for (std::size_t d = 0; d < room.size(); ++d) {
        const Int128 reach = static_cast<Int128>(room[d] - 1) * *spans_[d].stride;
        (reach < 0 ? lowest : highest) += reach;
        if (highest - lowest >= most_cells) { return LayoutFault::too_large; }
    }
    size_ = static_cast<std::size_t>(highest - lowest + 1);
    origin_ = static_cast<std::size_t>(-lowest);
    axes_.push_back({static_cast<std::int64_t>(lowest), static_cast<std::uint64_t>(size_), 1});
    return std::nullopt;
}

std::int64_t Layout::pitch(std::size_t d) const {
    return is_linear_ ? *spans_[d].stride : static_cast<std::int64_t>(axes_[d].step);
}

void Layout::mark(const std::vector<std::int64_t>& extent, CellKind kind) {
    if (is_empty(extent)) { return; }
    std::vector<std::int64_t> c(extent.size(), 0);
    do {
        auto place = static_cast<std::int64_t>(origin_);
        for (std::size_t d = 0; d < c.size(); ++d) { place += c[d] * pitch(d); }
        kinds_[static_cast<std::size_t>(place)] = kind;
    } while (next(c, extent));
}

std::vector<std::int64_t> Layout::indices(std::size_t place) const {
    std::vector<std::int64_t> indices;
    for (std::size_t d = 0; d < axes_.size(); ++d) {
        const std::uint64_t offset = place / axes_[d].step % axes_[d].room;
        indices.push_back(axes_[d].min + static_cast<std::int64_t>(offset));
    }
    return indices;
}

void Layout::for_each(const std::function<void(const std::vector<std::int64_t>&, std::size_t)>& body) const {
    std::vector<std::int64_t> extent;
    std::vector<std::int64_t> coordinates;
    for (const Span& span : spans_) {
        extent.push_back(span.extent);
        coordinates.push_back(span.min);
    }
    if (is_empty(extent)) { return; }
    std::vector<std::int64_t> c(extent.size(), 0);
    do {
        auto place = static_cast<std::int64_t>(origin_);
        for (std::size_t d = 0; d < c.size(); ++d) {
            place += c[d] * pitch(d);
            coordinates[d] = spans_[d].min + c[d];
        }
        body(coordinates, static_cast<std::size_t>(place));
    } while (next(c, extent));
}

std::string Layout::bounds() const {
    std::string text;
    for (const Axis& axis : axes_) {
        text += text.empty() ? "[" : " × [";
        text += fmt::format("{}, {})", axis.min, axis.min + static_cast<std::int64_t>(axis.room));
    }
    return text;
}

value::Value Filler::operator()(std::uint32_t array, value::Type type, std::size_t place) const {
    switch (padding_.filling) {
        case Filling::uninit: return value::Value::uninit(type);
        case Filling::zero: return value::Value::from_bits(type, 0);
        case Filling::noise: break;
    }
    // Small numbers: noise must not cause an overflow in arithmetic whose result is unused.
    constexpr std::uint64_t range = 101;
    const std::uint64_t noise = derive_seed(derive_seed(padding_.noise_seed, array), place);
    const auto small = static_cast<std::int64_t>(noise % range);
    const bool is_negative = (noise >> 32U & 1U) != 0;
    if (type == value::Type::boolean) { return value::Value::boolean(is_negative); }
    if (value::is_unsigned_integer(type)) { return value::Value::integer(type, small); }
    const value::Value whole = value::Value::integer(type, is_negative ? -small : small);
    if (!value::is_float(type)) { return whole; }
    return value::apply(value::BinaryOp::div, whole, value::Value::integer(type, 4));
}

}  // namespace haruspex::interp::loops
