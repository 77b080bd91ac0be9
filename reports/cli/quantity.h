#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "generators/base/result.h"

// Quantities with a unit, as users write them.
namespace haruspex::cli {

// "90s", "10m", "8h", or a number of seconds; an Error for anything else, and for nothing at all.
[[nodiscard]] Result<std::chrono::seconds> parse_duration(const std::string& text);

// Bytes: "500M", "2G", with units of 1024, or a number of bytes; an Error for anything else.
[[nodiscard]] Result<std::uint64_t> parse_size(const std::string& text);

}  // namespace haruspex::cli
