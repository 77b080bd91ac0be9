#include "reports/cli/quantity.h"

#include <charconv>
#include <limits>

namespace haruspex::cli {

Result<std::chrono::seconds> parse_duration(const std::string& text) {
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const std::string unit(rest, end);
    const std::int64_t factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
    // A hundred years; longer durations may overflow clocks.
    constexpr std::int64_t most = std::int64_t{100} * 366 * 24 * 3600;
    if (error != std::errc() || factor == 0 || number <= 0 || number > most / factor) {
        return fail("malformed duration \"" + text +
                    "\"; expected a positive number with s, m or h, such as 90s, 10m or 8h");
    }
    return std::chrono::seconds(number * factor);
}

Result<std::uint64_t> parse_size(const std::string& text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const std::string unit(rest, end);
    const unsigned shift = unit.empty()  ? 0
                           : unit == "K" ? 10
                           : unit == "M" ? 20
                           : unit == "G" ? 30
                           : unit == "T" ? 40
                                         : 64;
    if (error != std::errc() || shift == 64 || number > (std::numeric_limits<std::uint64_t>::max() >> shift)) {
        return fail("malformed size \"" + text + "\"; expected a number with K, M, G or T, such as 500M or 2G");
    }
    return number << shift;
}

}  // namespace haruspex::cli
