#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace haruspex::verdict {

// Beside the names of a compiler's passes: what stands before the first, the program from which code is generated,
// and what comes after it.
inline constexpr std::string_view source = "source";
inline constexpr std::string_view final_program = "final";
inline constexpr std::string_view code_generation = "code generation";

// Where a program goes wrong: behind the program after one pass that can be observed, and not behind the program after
// another one.
struct PassInterval {
    std::string after, upto;
    bool operator==(const PassInterval&) const = default;
    auto operator<=>(const PassInterval&) const = default;
};

// "(unroll_loops, vectorize_loops]", and back; nothing for any other text.
std::string to_string(const PassInterval& interval);
std::optional<PassInterval> parse_pass_interval(std::string_view text);

// What is wrong from the first program that can be observed: the fault lies in any of the passes before.
inline bool is_from_source(const PassInterval& interval) { return interval.after == source; }
// What goes wrong when code is generated.
inline bool is_code_generation(const PassInterval& interval) {
    return interval.after == final_program && interval.upto == code_generation;
}

}  // namespace haruspex::verdict
