#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace haruspex::verdict {

// Names besides those of a compiler's passes: the point before the first pass, the program from which code is
// generated, and code generation itself.
inline constexpr std::string_view source = "source";
inline constexpr std::string_view final_program = "final";
inline constexpr std::string_view code_generation = "code generation";

// The interval in which a program goes wrong: after pass `after`, and no later than pass `upto`. Both are observable.
struct PassInterval {
    std::string after, upto;
    bool operator==(const PassInterval&) const = default;
    auto operator<=>(const PassInterval&) const = default;
};

// Prints an interval, "(unroll_loops, vectorize_loops]", and parses such a text; nullopt for any other text.
std::string to_string(const PassInterval& interval);
std::optional<PassInterval> parse_pass_interval(std::string_view text);

// Whether the first observable program is already wrong: the fault lies in one of the passes before it.
inline bool is_from_source(const PassInterval& interval) { return interval.after == source; }
// Whether the error arises when code is generated.
inline bool is_code_generation(const PassInterval& interval) {
    return interval.after == final_program && interval.upto == code_generation;
}

}  // namespace haruspex::verdict
