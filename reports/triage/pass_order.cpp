#include "reports/triage/pass_order.h"

#include <string_view>
#include <utility>

namespace haruspex::triage {
namespace {

// "simplify.2" -> "simplify"
std::string_view without_number(std::string_view pass) {
    const std::size_t dot = pass.rfind('.');
    if (dot == pass.npos || dot + 1 == pass.size()) { return pass; }
    const bool is_number = pass.find_first_not_of("0123456789", dot + 1) == pass.npos;
    return is_number ? pass.substr(0, dot) : pass;
}

}  // namespace

PassOrder::PassOrder(const std::vector<std::string>& passes) {
    places_.emplace(verdict::source, 0);
    for (const std::string& pass : passes) { places_.emplace(pass, places_.size()); }
}

PassOrder::PassOrder(const std::vector<std::string>& passes, const std::vector<std::string>& of_all_versions)
    : PassOrder(passes) {
    if (of_all_versions.empty()) { return; }
    places_of_all_versions_.emplace(verdict::source, 0);
    for (const std::string& pass : of_all_versions) {
        places_of_all_versions_.emplace(pass, places_of_all_versions_.size());
    }
}

PassOrder PassOrder::drawn_by_cases() {
    PassOrder order;
    order.is_drawn_ = true;
    return order;
}

bool PassOrder::in_order(std::string_view a, std::string_view b) const {
    const auto are_in_order = [&](const Places& places) {
        const auto first = places.find(a), second = places.find(b);
        return first != places.end() && second != places.end() && first->second <= second->second;
    };
    return are_in_order(places_) || are_in_order(places_of_all_versions_);
}

bool PassOrder::precedes(const Interval& first, const Interval& second) const {
    return first && second && in_order(first->upto, second->after);
}

bool PassOrder::overlap(const Interval& a, const Interval& b) const {
    if (holds(a, b) || holds(b, a)) { return true; }
    const auto begins_in = [&](const Interval& one, const Interval& other) {
        return one->after != other->upto && in_order(other->after, one->after) && in_order(one->after, other->upto);
    };
    return a && b && !is_drawn_ && (begins_in(a, b) || begins_in(b, a));
}

bool PassOrder::holds(const Interval& outer, const Interval& inner) const {
    if (outer == inner) { return true; }
    if (!outer || !inner) { return false; }
    if (is_drawn_) { return without_number(outer->upto) == without_number(inner->upto); }
    if (in_order(outer->after, inner->after) && in_order(inner->upto, outer->upto)) { return true; }
    const auto is_one_pass = [&](const verdict::PassInterval& interval) {
        const auto before = places_.find(interval.after), after = places_.find(interval.upto);
        return before != places_.end() && after != places_.end() && after->second == before->second + 1;
    };
    return is_one_pass(*outer) && is_one_pass(*inner) && without_number(outer->upto) == without_number(inner->upto);
}

}  // namespace haruspex::triage
