#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/verdict/pass_interval.h"

// The order of a compiler's passes, for comparing intervals of passes.
namespace haruspex::triage {

// The order of the observable passes; verdict::source comes before them.
class PassOrder {
public:
    // No order is known: an interval lies within itself alone.
    PassOrder() = default;
    // All programs go through the same passes.
    explicit PassOrder(const std::vector<std::string>& passes);
    // Each case has an order of its own: two intervals are one if the same pass ends them.
    static PassOrder drawn_by_cases();

    // nullopt: unknown, possibly nowhere; it is held by itself alone.
    using Interval = std::optional<verdict::PassInterval>;

    // Whether all passes of `inner` are passes of `outer`, so that `inner` locates a fault at least as closely. If each
    // interval is one pass, its runs count as equal: "simplify.2" and "simplify.3" are one pass that runs twice.
    bool holds(const Interval& outer, const Interval& inner) const;
    // Whether each of two intervals holds the other: they are equal, or one pass that runs twice.
    bool are_one(const Interval& a, const Interval& b) const { return holds(a, b) && holds(b, a); }
    // Whether `first` ends where `second` begins, or earlier.
    bool precedes(const Interval& first, const Interval& second) const;

private:
    // Whether both passes are known, and `a` is `b` or comes before it.
    bool in_order(std::string_view a, std::string_view b) const;

    std::map<std::string, std::size_t, std::less<>> places_;
    bool is_drawn_ = false;
};

}  // namespace haruspex::triage
