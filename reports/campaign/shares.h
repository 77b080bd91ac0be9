#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Private to reports/campaign: shares and order of counts.
namespace haruspex::campaign {

inline std::string percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "-" : fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// Sorts by value, the largest first; equal values by name.
template <typename Value>
std::vector<std::pair<std::string, Value>> by_size(const std::map<std::string, Value>& values) {
    std::vector<std::pair<std::string, Value>> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    return sorted;
}

}  // namespace haruspex::campaign
