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

PassOrder PassOrder::drawn_by_cases() {
    PassOrder order;
    order.is_drawn_ = true;
    return order;
}

bool PassOrder::in_order(std::string_view a, std::string_view b) const {
    const auto first = places_.find(a), second = places_.find(b);
    return first != places_.end() && second != places_.end() && first->second <= second->second;
}

bool PassOrder::precedes(const Interval& first, const Interval& second) const {
    return first && second && in_order(first->upto, second->after);
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
