#include "generators/affine/attempt.h"

#include <isl/val.h>

#include <algorithm>

#include "generators/base/ensure.h"

namespace haruspex::affine {

std::uint64_t spent_of(isl_ctx* ctx, std::uint64_t limit) {
    // isl does not report its count, but it does report whether one more operation would exceed a smaller limit.
    std::uint64_t more = 0;
    const auto is_spent = [&](std::uint64_t operations) {
        isl_ctx_set_max_operations(ctx, operations + more);
        isl_val* one_more = isl_val_zero(ctx);
        isl_val_free(one_more);
        if (one_more != nullptr) { ++more; }
        return one_more == nullptr;
    };
    std::uint64_t at_least = 0, at_most = limit;
    while (at_least < at_most) {
        const std::uint64_t middle = at_most - (at_most - at_least) / 2;
        if (is_spent(middle)) {
            at_least = middle;
        } else {
            at_most = middle - 1;
        }
    }
    isl_ctx_set_max_operations(ctx, limit);
    isl_ctx_reset_error(ctx);
    return at_least;
}

Attempt::Attempt(isl::ctx ctx, std::uint64_t operations) : ctx_(ctx.get()), outer_(isl_ctx_get_max_operations(ctx_)) {
    ENSURE(operations > 0, "isl takes a limit of zero for none at all");
    if (outer_ == 0) { isl_ctx_reset_operations(ctx_); }
    inner_ = outer_ == 0 ? operations : std::min<std::uint64_t>(outer_, spent_of(ctx_, outer_) + operations);
    isl_ctx_set_max_operations(ctx_, inner_);
}

Attempt::~Attempt() {
    isl_ctx_set_max_operations(ctx_, outer_);
    if (outer_ == 0) { isl_ctx_reset_operations(ctx_); }
    isl_ctx_reset_error(ctx_);
}

bool Attempt::is_limit_reached() const { return inner_ != outer_ && spent_of(ctx_, inner_) == inner_; }

}  // namespace haruspex::affine
