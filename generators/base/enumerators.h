#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace haruspex {

// Returns the enumerator among `all` whose name is `text`. Argument-dependent lookup must find name(Enum).
template <typename Enum, std::size_t n>
std::optional<Enum> enumerator_named(const std::array<Enum, n>& all, std::string_view text) {
    const auto found = std::ranges::find_if(all, [text](Enum one) { return name(one) == text; });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

}  // namespace haruspex
