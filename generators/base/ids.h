#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace haruspex {

// An index that cannot be mistaken for an index of another kind. Tag is any type, usually declared in place:
// using TensorId = Id<struct TensorTag>;
template <typename Tag>
struct Id {
    std::uint32_t value = 0;

    auto operator<=>(const Id&) const = default;
};

}  // namespace haruspex

template <typename Tag>
struct std::hash<haruspex::Id<Tag>> {
    std::size_t operator()(haruspex::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
