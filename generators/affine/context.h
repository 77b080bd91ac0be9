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

// Wraps isl. Code that needs sets, relations or piecewise affine functions uses isl's C++ types in a Context of its
// own. isl's C interface is called in this folder only, and no exception of isl leaves `guarded` and `within`.
namespace haruspex::affine {

// Owns an isl context. Make one for each case, and declare it before anything that lives in it: isl warns on stderr
// about objects that outlive their context.
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

// Thrown by `spend` when our own operations exceed the open budget.
class BudgetSpent : public std::exception {
public:
    const char* what() const noexcept override { return "the budget of operations is spent"; }
};

// Limits work in the context while it lives: at most `operations` of isl's elementary operations, and as many of our
// own. The first isl operation beyond the limit throws isl::exception_quota, and spend() throws BudgetSpent; the
// context stays usable. Work is counted instead of time, so that the outcome is the same on every machine. Budgets of
// one context do not nest (ENSURE).
class Budget {
public:
    // `operations` is positive (ENSURE).
    Budget(const Context& context, std::uint64_t operations);
    ~Budget();
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;

    // Whether isl's operations are spent. The call itself costs a few.
    bool exhausted() const;
    // Returns how many operations are spent so far, isl's and our own together. The call itself costs a few.
    std::uint64_t spent() const;

private:
    friend void spend(std::uint64_t operations);
    isl_ctx* ctx_;
    std::uint64_t operations_;
    std::uint64_t own_ = 0;
    Budget* outer_;  // the budget that was open before
};

// Charges work that isl does not count to the budget that this thread has opened last; does nothing without a budget.
// The unit is about one isl operation. Throws BudgetSpent if the budget is exceeded.
void spend(std::uint64_t operations);

Error budget_is_spent();
// Returns the Error for an exception of isl if the budget is spent or isl reports a fault of its own. Any other
// exception is a fault of haruspex and becomes an InternalError.
Error out_of_budget(const isl::exception& error, const Budget* budget);

// Returns the result of work(), or an Error if the budget is exceeded or isl reports a fault of its own. `budget` is
// the budget in force, if the caller has it.
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

// Returns guarded(work) within a budget of its own.
template <std::invocable Work>
[[nodiscard]] Result<std::invoke_result_t<Work>> within(const Context& context, std::uint64_t operations, Work&& work) {
    const Budget budget(context, operations);
    return guarded(std::forward<Work>(work), &budget);
}

// The same with a budget of at most `left`. The operations spent are subtracted from `left`. An Error if `left` is 0.
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
