#pragma once

#include <cstdint>
#include <optional>
#include <vector>

// Linear forms over numbered columns: a constant plus a sum of factor * column.
namespace haruspex::interp {

struct Term {
    std::int64_t factor = 0;
    std::uint32_t column = 0;
    bool operator==(const Term&) const = default;
    auto operator<=>(const Term&) const = default;
};

struct Linear {
    std::int64_t constant = 0;
    std::vector<Term> terms;  // by ascending column; no factor is zero
    bool operator==(const Linear&) const = default;

    bool is_constant() const { return terms.empty(); }
    std::int64_t factor(std::uint32_t column) const;
};

Linear linear_constant(std::int64_t value);
Linear linear_column(std::uint32_t column);

// nullopt if a coefficient leaves 64 bits.
std::optional<Linear> scale(const Linear& a, std::int64_t factor);
// a + factor * b
std::optional<Linear> add(const Linear& a, const Linear& b, std::int64_t factor = 1);

// The largest integer <= a / b, and the smallest one >= a / b; b > 0. Neither overflows.
constexpr std::int64_t floor_quotient(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
constexpr std::int64_t ceil_quotient(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

// The remainder of floor division, in [0, b).
constexpr std::int64_t floor_remainder(std::int64_t a, std::int64_t b) { return a % b < 0 ? a % b + b : a % b; }

}  // namespace haruspex::interp
