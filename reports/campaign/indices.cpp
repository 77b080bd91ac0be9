#include "reports/campaign/indices.h"

#include <sstream>
#include <string_view>

#include "generators/base/numbers.h"

namespace haruspex::campaign {
namespace {

constexpr std::uint64_t most_indices = 10'000'000;

}  // namespace

std::string to_text(const std::vector<std::uint64_t>& indices) {
    std::string text;
    for (std::size_t i = 0; i < indices.size();) {
        std::size_t last = i;
        while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) { ++last; }
        text += (text.empty() ? "" : " ") + std::to_string(indices[i]);
        if (last > i) { text += "-" + std::to_string(indices[last]); }
        i = last + 1;
    }
    return text;
}

std::optional<std::vector<std::uint64_t>> parse_indices(const std::string& text) {
    std::vector<std::uint64_t> indices;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t dash = word.find('-');
        const auto first = parse_number<std::uint64_t>(std::string_view(word).substr(0, dash));
        const auto last =
            dash == std::string::npos ? first : parse_number<std::uint64_t>(std::string_view(word).substr(dash + 1));
        const bool ascends = first && last && *first <= *last && (indices.empty() || indices.back() < *first);
        if (!ascends || *last - *first >= most_indices - indices.size()) { return std::nullopt; }
        for (std::uint64_t i = *first; i <= *last; ++i) { indices.push_back(i); }
    }
    if (to_text(indices) != text) { return std::nullopt; }
    return indices;
}

}  // namespace haruspex::campaign
