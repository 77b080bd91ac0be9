#pragma once

#include <isl/cpp.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

// Limits on a part of the work, for results that the caller can do without.
namespace haruspex::affine {

// Limits isl's operations while it lives, within a budget (context.h) or without one. Once the limit is reached, the
// next operation throws isl::exception_quota. The operations also count towards the budget.
class Attempt {
public:
    Attempt(isl::ctx ctx, std::uint64_t operations);
    ~Attempt();
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

    // Whether this limit is reached, rather than the budget's.
    bool is_limit_reached() const;

private:
    isl_ctx* ctx_;
    std::uint64_t outer_, inner_;
};

// Returns how many of isl's operations are spent in the context; `limit` must be the limit in force.
std::uint64_t spent_of(isl_ctx* ctx, std::uint64_t limit);

// Returns the result of work(), or nullopt if the work needs more than `operations` of isl's operations.
template <std::invocable Work>
std::optional<std::invoke_result_t<Work>> attempt(const isl::ctx& ctx, std::uint64_t operations, Work&& work) {
    const Attempt limit(ctx, operations);
    try {
        return work();
    } catch (const isl::exception&) {
        if (!limit.is_limit_reached()) { throw; }
        return std::nullopt;
    }
}

}  // namespace haruspex::affine
