#pragma once

#include <isl/cpp.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

// Limits within a budget (context.h).
namespace haruspex::affine {

// A smaller limit, within a budget or without one. The operation beyond it throws; a budget also pays for the
// operations spent here.
class Attempt {
public:
    Attempt(isl::ctx ctx, std::uint64_t operations);
    ~Attempt();
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

    // Whether its own limit is reached, rather than the budget's.
    bool is_given_up() const;

private:
    isl_ctx* ctx_;
    std::uint64_t outer_, inner_;
};

// Returns how many of isl's operations are spent; `limit` must be the limit in force.
std::uint64_t spent_of(isl_ctx* ctx, std::uint64_t limit);

// Returns work()'s result, or nullopt if it needs more than `operations` of isl's operations.
template <std::invocable Work>
std::optional<std::invoke_result_t<Work>> attempt(const isl::ctx& ctx, std::uint64_t operations, Work&& work) {
    const Attempt limit(ctx, operations);
    try {
        return work();
    } catch (const isl::exception&) {
        if (!limit.is_given_up()) { throw; }
        return std::nullopt;
    }
}

}  // namespace haruspex::affine
