#include "reports/measure/numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace haruspex::measure {

std::string three_digits(double number) {
    return fmt::format("{:.{}f}", number, number >= 100 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) { return "-"; }
    const double share = 100 * static_cast<double>(part) / static_cast<double>(whole);
    // An incomplete share is not shown as 100%, nor a share above zero as 0%.
    const double rounded = std::round(share * 10) / 10;
    const double shown = part == 0 || part == whole ? rounded : std::clamp(rounded, 0.1, 99.9);
    return fmt::format("{:.{}f}%", shown, shown == std::floor(shown) ? 0 : 1);
}

}  // namespace haruspex::measure
