#include "reports/triage/pass_order.h"

#include <optional>
#include <string_view>
#include <utility>

namespace haruspex::triage {
namespace {

// "(a, b]" -> a, b
std::optional<std::pair<std::string_view, std::string_view>> ends_of(std::string_view interval) {
    const std::size_t comma = interval.find(", ");
    if (!interval.starts_with('(') || !interval.ends_with(']') || comma == interval.npos) { return std::nullopt; }
    return std::pair(interval.substr(1, comma - 1), interval.substr(comma + 2, interval.size() - comma - 3));
}

// "simplify.2" -> "simplify"
std::string_view without_number(std::string_view pass) {
    const std::size_t dot = pass.rfind('.');
    if (dot == pass.npos || dot + 1 == pass.size()) { return pass; }
    const bool is_number = pass.find_first_not_of("0123456789", dot + 1) == pass.npos;
    return is_number ? pass.substr(0, dot) : pass;
}

}  // namespace

PassOrder::PassOrder(const std::vector<std::string>& passes) {
    places_.emplace("source", 0);
    for (const std::string& pass : passes) { places_.emplace(pass, places_.size()); }
}

bool PassOrder::in_order(std::string_view a, std::string_view b) const {
    const auto first = places_.find(a), second = places_.find(b);
    return first != places_.end() && second != places_.end() && first->second <= second->second;
}

bool PassOrder::precedes(const std::string& first, const std::string& second) const {
    const auto before = ends_of(first), after = ends_of(second);
    return before && after && in_order(before->second, after->first);
}

bool PassOrder::holds(const std::string& outer, const std::string& inner) const {
    if (outer == inner) { return true; }
    const auto wide = ends_of(outer), narrow = ends_of(inner);
    if (!wide || !narrow) { return false; }
    if (in_order(wide->first, narrow->first) && in_order(narrow->second, wide->second)) { return true; }
    const auto is_one_pass = [&](const auto& interval) {
        const auto before = places_.find(interval.first), after = places_.find(interval.second);
        return before != places_.end() && after != places_.end() && after->second == before->second + 1;
    };
    return is_one_pass(*wide) && is_one_pass(*narrow) && without_number(wide->second) == without_number(narrow->second);
}

}  // namespace haruspex::triage
