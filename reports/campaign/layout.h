#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Private to reports/campaign: columns of the tables on the terminal.
namespace haruspex::campaign {

inline std::string fixed(double value, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

inline std::string left(std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
}

inline std::string right(const std::string& text, std::size_t width) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

inline std::string percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "-" : fixed(100.0 * static_cast<double>(part) / static_cast<double>(whole), 1) + "%";
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
