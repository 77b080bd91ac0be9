#include "generators/affine/context.h"

#include <isl/options.h>

namespace haruspex::affine {

Context::Context() : ctx_(isl_ctx_alloc()) {
    ENSURE(ctx_ != nullptr, "isl could not make a context");
    // The default prints every error; ours arrive as exceptions.
    isl_options_set_on_error(ctx_, ISL_ON_ERROR_CONTINUE);
}

Context::~Context() { isl_ctx_free(ctx_); }

Budget::Budget(const Context& context, std::uint64_t operations) : ctx_(context.ctx_) {
    ENSURE(operations > 0, "isl takes a budget of zero for no limit at all");
    ENSURE(isl_ctx_get_max_operations(ctx_) == 0, "budgets of one isl context do not nest");
    isl_ctx_reset_operations(ctx_);
    isl_ctx_set_max_operations(ctx_, operations);
}

Budget::~Budget() {
    isl_ctx_set_max_operations(ctx_, 0);
    isl_ctx_reset_operations(ctx_);
}

}  // namespace haruspex::affine
