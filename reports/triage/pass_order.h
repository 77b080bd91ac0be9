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

// The order of the observable passes, with verdict::source before all of them.
class PassOrder {
public:
    // An order in which nothing is known: each interval holds only itself.
    PassOrder() = default;
    // The order of a compiler that takes every program through the same passes.
    explicit PassOrder(const std::vector<std::string>& passes);
    // The same; intervals may also be of other versions of the compiler. `of_all_versions` has the passes of all of them,
    // in an order with which that of `passes` agrees.
    PassOrder(const std::vector<std::string>& passes, const std::vector<std::string>& of_all_versions);
    // The order of a compiler that draws an order for each case. An interval then holds another one if both end with
    // the same pass.
    static PassOrder drawn_by_cases();

    // nullopt: unknown, perhaps because no pass is wrong. nullopt holds only nullopt, and no other interval holds it.
    using Interval = std::optional<verdict::PassInterval>;

    // Whether all passes of `inner` are passes of `outer`, so that `inner` locates a fault at least as closely. Two
    // intervals of a single pass each also hold one another if they are runs of one pass, such as "simplify.2" and
    // "simplify.3".
    bool holds(const Interval& outer, const Interval& inner) const;
    // Whether each of two intervals holds the other: they are equal, or runs of one pass.
    bool are_one(const Interval& a, const Interval& b) const { return holds(a, b) && holds(b, a); }
    // Whether a pass may lie in both intervals. Two versions of a compiler do not show the same passes, so that the
    // intervals of one failure need not hold one another.
    bool overlap(const Interval& a, const Interval& b) const;
    // Whether `first` ends where `second` begins, or earlier.
    bool precedes(const Interval& first, const Interval& second) const;

private:
    // Whether both passes are known, and `a` is `b` or comes before it.
    bool in_order(std::string_view a, std::string_view b) const;

    using Places = std::map<std::string, std::size_t, std::less<>>;

    Places places_;
    Places places_of_all_versions_;
    bool is_drawn_ = false;
};

}  // namespace haruspex::triage
