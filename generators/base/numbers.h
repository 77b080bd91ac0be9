#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace haruspex {

// Parses the whole text as a number. nullopt if the text is anything else, has blanks or a plus sign, or if the number
// is outside the type's range.
template <typename Number, typename... Base>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text, Base... base) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number, base...);
    return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace haruspex
