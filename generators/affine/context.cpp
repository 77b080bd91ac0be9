#include "generators/affine/context.h"

#include <isl/options.h>

#include <string>

#include "generators/affine/attempt.h"

namespace haruspex::affine {

Context::Context() : ctx_(isl_ctx_alloc()) {
    ENSURE(ctx_ != nullptr, "isl could not make a context");
    // By default isl prints every error; ours arrive as exceptions.
    isl_options_set_on_error(ctx_, ISL_ON_ERROR_CONTINUE);
}

Context::~Context() { isl_ctx_free(ctx_); }

namespace {

thread_local Budget* open_budget = nullptr;

}  // namespace

Budget::Budget(const Context& context, std::uint64_t operations)
    : ctx_(context.ctx_), operations_(operations), outer_(open_budget) {
    ENSURE(operations > 0, "isl takes a budget of zero for no limit at all");
    ENSURE(isl_ctx_get_max_operations(ctx_) == 0, "budgets of one isl context do not nest");
    isl_ctx_reset_operations(ctx_);
    isl_ctx_set_max_operations(ctx_, operations);
    open_budget = this;
}

Budget::~Budget() {
    open_budget = outer_;
    isl_ctx_set_max_operations(ctx_, 0);
    isl_ctx_reset_operations(ctx_);
}

bool Budget::exhausted() const {
    try {
        // Cheap, but not free of operations.
        (void)isl::set(isl::ctx(ctx_), "{ [x, y] : 0 <= x and 2x + 3y = 1 }").is_empty();
        return false;
    } catch (const isl::exception&) { return true; }
}

std::uint64_t Budget::spent() const { return spent_of(ctx_, operations_) + own_; }

void spend(std::uint64_t operations) {
    if (open_budget == nullptr) { return; }
    open_budget->own_ += operations;
    if (open_budget->own_ > open_budget->operations_) { throw BudgetSpent(); }
}

Error budget_is_spent() { return {"isl ran out of its budget of operations", {}, {}}; }

Error out_of_budget(const isl::exception& error, const Budget* budget) {
    // Faults of isl itself: coalescing in isl 0.25 has some, and assertions of its convex hulls fail. Wrong arguments
    // would give an exception_invalid instead.
    if (dynamic_cast<const isl::exception_internal*>(&error) != nullptr ||
        dynamic_cast<const isl::exception_unknown*>(&error) != nullptr) {
        return {std::string("isl failed: ") + error.what(), {}, {}};
    }
    // isl does not always report "quota": its parser takes the failure of a step for a syntax error.
    const bool quota = dynamic_cast<const isl::exception_quota*>(&error) != nullptr;
    if (!quota && (budget == nullptr || !budget->exhausted())) {
        raise_internal_error(__FILE__, __LINE__, std::string("isl: ") + error.what());
    }
    return budget_is_spent();
}

}  // namespace haruspex::affine
