#include "oracle/conversion/delinearisation.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "generators/value/integer_range.h"

namespace haruspex::conversion {
namespace {

using sched::Monomial;
using sched::Polynomial;
using sched::Polynomials;

constexpr int most_reductions = 64;

struct Division {
    Polynomial quotient, remainder;
    std::size_t size() const {
        std::size_t atoms = 0;
        for (const Polynomial* p : {&quotient, &remainder}) {
            for (const auto& [monomial, coefficient] : *p) { atoms += 1 + monomial.size(); }
        }
        return atoms;
    }
};

// The number of times that the divisor's term is contained in a term of an index. For a constant number of rows and a
// few cells (29 = 2*14 + 1, 13 = 14 - 1), the number that leaves the fewest cells; otherwise the number that leaves
// none.
std::int64_t times_in(const Monomial& monomial, std::int64_t coefficient, const Monomial& leading,
                      std::int64_t divisor) {
    if (!std::ranges::includes(monomial, leading)) { return 0; }
    if (coefficient % divisor == 0) { return coefficient / divisor; }
    if (monomial != leading) { return 0; }
    const std::int64_t rest = coefficient % divisor;
    const std::int64_t next = (rest < 0) == (divisor < 0) ? 1 : -1;
    return coefficient / divisor + (std::abs(rest) > std::abs(divisor) - std::abs(rest) ? next : 0);
}

// Divides as if the rest of the divisor were smaller than its term `leading`.
std::optional<Division> divided(const Polynomial& p, const Polynomial& divisor, const Monomial& leading,
                                const Polynomials& polynomials) {
    const std::int64_t coefficient = divisor.at(leading);
    Division result{{}, p};
    for (int i = 0; i < most_reductions; ++i) {
        const auto reducible = std::ranges::find_if(result.remainder, [&](const auto& term) {
            return times_in(term.first, term.second, leading, coefficient) != 0;
        });
        if (reducible == result.remainder.end()) { return result; }
        Monomial rest;
        std::ranges::set_difference(reducible->first, leading, std::back_inserter(rest));
        const Polynomial factor{{rest, times_in(reducible->first, reducible->second, leading, coefficient)}};
        const auto product = polynomials.multiply(factor, divisor);
        const auto quotient = Polynomials::add(result.quotient, factor);
        const auto remainder = product ? Polynomials::add(result.remainder, *product, -1) : std::nullopt;
        if (!quotient || !remainder) { return std::nullopt; }
        result = {*quotient, *remainder};
    }
    return std::nullopt;
}

// The shortest of the divisions by each term: recovers an index that was written as c * stride + rest.
std::optional<Division> divided(const Polynomial& p, const Polynomial& divisor, const Polynomials& polynomials) {
    std::optional<Division> best;
    for (const auto& [monomial, coefficient] : divisor) {
        const bool is_alone = divisor.size() == 1;
        if (monomial.empty() && !is_alone) { continue; }
        auto division = divided(p, divisor, monomial, polynomials);
        if (division && (is_alone || !best || division->size() < best->size())) { best = std::move(division); }
    }
    return best;
}

// The range of a sum of atoms whose ranges are known; the bound is far below 64 bits.
std::optional<Range> range_of(const Polynomial& p, const Ranges& ranges) {
    constexpr std::int64_t most = std::int64_t{1} << 30;
    const auto is_small = [](std::int64_t n) { return -most <= n && n <= most; };
    Range sum;
    for (const auto& [monomial, coefficient] : p) {
        Range factor{1, 1};
        if (!monomial.empty()) {
            const auto known = ranges.find(monomial.front());
            if (monomial.size() > 1 || known == ranges.end()) { return std::nullopt; }
            factor = known->second;
        }
        if (!is_small(coefficient) || !is_small(factor.least) || !is_small(factor.greatest)) { return std::nullopt; }
        const std::int64_t a = coefficient * factor.least, b = coefficient * factor.greatest;
        sum = {sum.least + std::min(a, b), sum.greatest + std::max(a, b)};
        if (!is_small(sum.least) || !is_small(sum.greatest)) { return std::nullopt; }
    }
    return sum;
}

}  // namespace

void move_inside(std::vector<Polynomial>& coordinates, const std::vector<Polynomial>& extents, const Ranges& ranges) {
    for (std::size_t d = 0; d + 1 < coordinates.size(); ++d) {
        const auto extent = Polynomials::as_constant(extents.at(d));
        const auto range = range_of(coordinates[d], ranges);
        if (!extent || *extent <= 0 || !range) { continue; }
        const auto beyond = static_cast<std::int64_t>(value::floor_div(range->least, *extent));
        if (beyond == 0 || value::floor_div(range->greatest, *extent) != beyond) { continue; }
        const auto moved = Polynomials::add(coordinates[d], Polynomials::constant(*extent), -beyond);
        const auto next = Polynomials::add(coordinates[d + 1], Polynomials::constant(beyond));
        if (!moved || !next) { continue; }
        coordinates[d] = *moved;
        coordinates[d + 1] = *next;
    }
}

std::optional<std::vector<Polynomial>> coordinates(const Polynomial& index, const std::vector<Polynomial>& strides,
                                                   const Polynomials& polynomials) {
    std::vector<Polynomial> result(strides.size() + 1);
    Polynomial rest = index;
    for (std::size_t d = strides.size(); d > 0; --d) {
        auto division = divided(rest, strides[d - 1], polynomials);
        if (!division) { return std::nullopt; }
        result[d] = std::move(division->quotient);
        rest = std::move(division->remainder);
    }
    result[0] = std::move(rest);
    return result;
}

}  // namespace haruspex::conversion
