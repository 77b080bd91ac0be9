#include "oracle/verdict/pass_interval.h"

namespace haruspex::verdict {

std::string to_string(const PassInterval& interval) { return "(" + interval.after + ", " + interval.upto + "]"; }

std::optional<PassInterval> parse_pass_interval(std::string_view text) {
    constexpr std::string_view separator = ", ";
    const std::size_t comma = text.find(separator);
    if (!text.starts_with('(') || !text.ends_with(']') || comma == text.npos) { return std::nullopt; }
    const std::size_t upto = comma + separator.size();
    PassInterval interval{std::string(text.substr(1, comma - 1)),
                          std::string(text.substr(upto, text.size() - upto - 1))};
    if (interval.after.empty() || interval.upto.empty()) { return std::nullopt; }
    return interval;
}

}  // namespace haruspex::verdict
