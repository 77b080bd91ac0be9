#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "generators/base/result.h"

// Quantities with a unit, as users write them.
namespace haruspex::cli {

// Parses a positive duration: "90s", "10m", "8h", or a number of seconds. Anything else is an Error.
[[nodiscard]] Result<std::chrono::seconds> parse_duration(const std::string& text);

// Parses a number of bytes, also with a unit K, M, G or T (powers of 1024), such as "500M". Anything else is an Error.
[[nodiscard]] Result<std::uint64_t> parse_size(const std::string& text);

}  // namespace haruspex::cli
