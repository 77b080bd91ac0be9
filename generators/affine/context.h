#pragma once

#include <isl/cpp.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/result.h"

// isl, wrapped: who needs sets, relations or piecewise affine functions uses isl's C++ types in a Context of its own.
// isl's C interface is called in this folder only, and no exception of isl leaves `guarded` and `within`.
namespace haruspex::affine {

// Owns an isl context. One for each case, declared before anything that lives in it: isl warns on stderr about
// objects that outlive their context.
class Context {
public:
    Context();
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    isl::ctx ctx() const { return isl::ctx(ctx_); }

private:
    friend class Budget;
    isl_ctx* ctx_;
};

// Of an open budget more was spent than there is; see spend.
class BudgetSpent : public std::exception {
public:
    const char* what() const noexcept override { return "the budget of operations is spent"; }
};

// While it lives, isl may spend at most so many of its elementary operations in the context, and we as many of our own
// (spend); isl's operation beyond throws isl::exception_quota, and the context stays usable. Counted in work and not in
// time, so that the outcome is the same on every machine. Budgets of one context do not nest (ENSURE).
class Budget {
public:
    Budget(const Context& context, std::uint64_t operations);
    ~Budget();
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;

    bool exhausted() const;
    // How many are spent so far, isl's and our own. To ask costs a few.
    std::uint64_t spent() const;

private:
    friend void spend(std::uint64_t operations);
    isl_ctx* ctx_;
    std::uint64_t operations_;
    std::uint64_t own_ = 0;
    Budget* outer_;  // that was open before
};

// Work that isl does not count, in about what one of its operations takes, on the account of the budget that was opened
// last in this thread and still lives; without one it is free. Throws BudgetSpent where there is no more.
void spend(std::uint64_t operations);

Error budget_is_spent();
// The Error for an exception of isl under a budget that is spent, or for a fault that isl finds in itself; any other
// complaint of isl is a fault of ours and becomes an InternalError.
Error out_of_budget(const isl::exception& error, const Budget* budget);

// The result of work(), or an Error when it ran out of the budget.
template <std::invocable Work>
[[nodiscard]] Result<std::invoke_result_t<Work>> guarded(Work&& work, const Budget* budget = nullptr) {
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
            work();
            return {};
        } else {
            return work();
        }
    } catch (const BudgetSpent&) { return fail(budget_is_spent()); } catch (const isl::exception& error) {
        return fail(out_of_budget(error, budget));
    }
}

template <std::invocable Work>
[[nodiscard]] Result<std::invoke_result_t<Work>> within(const Context& context, std::uint64_t operations, Work&& work) {
    const Budget budget(context, operations);
    return guarded(std::forward<Work>(work), &budget);
}

// The same, paid from `left`: at most what is left there, which becomes less by what is spent. An empty left is an
// Error.
template <std::invocable Work>
[[nodiscard]] Result<std::invoke_result_t<Work>> within(const Context& context, std::uint64_t operations,
                                                        std::uint64_t& left, Work&& work) {
    if (left == 0) { return fail(budget_is_spent()); }
    const Budget budget(context, std::min(operations, left));
    auto result = guarded(std::forward<Work>(work), &budget);
    left -= std::min(left, budget.spent());
    return result;
}

}  // namespace haruspex::affine
