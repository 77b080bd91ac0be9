#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <utility>

#include "generators/affine/context.h"

namespace haruspex::validator {

// The budgets of a validation, in isl's elementary operations. Each function returns the result of the work, or an
// Error if a budget was exceeded.
class Budgets {
public:
    // `whole` pays for everything but the search for counterexamples, which has as much as one obligation. `evaluation`
    // limits each evaluation, and `obligation` each attempt at an obligation.
    Budgets(const affine::Context& context, std::uint64_t whole, std::uint64_t evaluation, std::uint64_t obligation)
        : context_(context),
          whole_(whole),
          evaluation_(evaluation),
          obligation_(obligation),
          left_(whole),
          search_left_(obligation) {}

    template <std::invocable Work>
    auto for_evaluation(Work&& work) {
        return for_at_most(evaluation_, std::forward<Work>(work));
    }

    template <std::invocable Work>
    auto for_obligation(Work&& work) {
        return for_at_most(obligation_, std::forward<Work>(work));
    }

    template <std::invocable Work>
    auto for_at_most(std::uint64_t operations, Work&& work) {
        return affine::within(context_, operations, left_, std::forward<Work>(work));
    }

    // Charges the work to `share` as well; it is limited by that alone.
    template <std::invocable Work>
    auto from_share(std::uint64_t& share, Work&& work) {
        const std::uint64_t before = share;
        auto result = affine::within(context_, share, share, std::forward<Work>(work));
        left_ -= before - share;
        return result;
    }

    template <std::invocable Work>
    auto for_search(Work&& work) {
        return affine::within(context_, search_left_, search_left_, std::forward<Work>(work));
    }

    // An obligation's operations divided by `divisor`; at least one.
    std::uint64_t obligation_share(std::uint64_t divisor) const {
        return std::max<std::uint64_t>(obligation_ / divisor, 1);
    }
    std::uint64_t left() const { return left_; }
    std::uint64_t spent() const { return whole_ - left_; }

private:
    const affine::Context& context_;
    std::uint64_t whole_, evaluation_, obligation_;
    std::uint64_t left_;         // of the whole
    std::uint64_t search_left_;  // of the search
};

}  // namespace haruspex::validator
