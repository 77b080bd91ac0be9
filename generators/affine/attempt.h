#pragma once

#include <isl/cpp.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

// Limits within a budget (context.h).
namespace haruspex::affine {

// A smaller limit within a budget, or without one: the operation beyond it throws, and the budget pays.
class Attempt {
public:
    Attempt(isl::ctx ctx, std::uint64_t operations);
    ~Attempt();
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

    // Whether its own limit is reached, and not the budget's.
    bool is_given_up() const;

private:
    isl_ctx* ctx_;
    std::uint64_t outer_, inner_;
};

// How many of isl's operations are spent of a limit of so many, which is the one in force.
std::uint64_t spent_of(isl_ctx* ctx, std::uint64_t limit);

// What work() makes in so few operations, or nothing where it takes more.
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
