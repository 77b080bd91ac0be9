#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/verdict/pass_interval.h"

// The order of a compiler's passes, by which intervals of them are compared.
namespace haruspex::triage {

// Of those that can be observed. All programs go through the same ones; verdict::source stands before them.
class PassOrder {
public:
    // Nothing is known: an interval lies within itself alone.
    PassOrder() = default;
    explicit PassOrder(const std::vector<std::string>& passes);

    // What is not known may be nowhere, and is held by itself alone.
    using Interval = std::optional<verdict::PassInterval>;

    // Whether all passes of the interval `inner` are passes of `outer`: it says the same of a fault, or more. When each
    // is one pass, that may be at two places: "simplify.2" and "simplify.3" are one pass that runs twice.
    bool holds(const Interval& outer, const Interval& inner) const;
    // Whether each of two intervals holds the other: they are the same one, or one pass that runs twice.
    bool are_one(const Interval& a, const Interval& b) const { return holds(a, b) && holds(b, a); }
    // Whether the interval `first` ends where `second` begins, or before.
    bool precedes(const Interval& first, const Interval& second) const;

private:
    // Whether two passes are known, and one is the other or comes before it.
    bool in_order(std::string_view a, std::string_view b) const;

    std::map<std::string, std::size_t, std::less<>> places_;
};

}  // namespace haruspex::triage
