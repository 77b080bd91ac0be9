#pragma once

#include <cstdint>
#include <string>

namespace haruspex::measure {

// Formats a number with three significant digits: "12.3", "0.042".
std::string three_digits(double number);
// Formats a share: "37%", or "-" if `whole` is 0.
std::string percent(std::uint64_t part, std::uint64_t whole);

}  // namespace haruspex::measure
