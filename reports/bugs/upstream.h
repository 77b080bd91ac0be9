#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What the maintainers of the compiler know of a bug.
namespace haruspex::bugs {

// A search for the bug among their reports and changes.
enum class LookUp : std::uint8_t {
    not_done,
    none_found,
    found,
};

struct Upstream {
    LookUp look_up = LookUp::not_done;
    std::string address;  // of the report, or of the change that fixes the bug; empty unless found
    bool operator==(const Upstream&) const = default;
};

// Parses an address, "https://…", or "none found". Returns nullopt for any other text.
std::optional<Upstream> parse_upstream(std::string_view text);
// Returns the text that parse_upstream reads; empty if the bug was not looked up.
std::string to_string(const Upstream& upstream);

}  // namespace haruspex::bugs
