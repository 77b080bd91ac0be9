#include "generators/affine/division.h"

#include <isl/aff.h>
#include <isl/val.h>

#include <optional>

#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/base/ensure.h"

namespace haruspex::affine {
namespace {

// Larger coefficients and divisors are left alone.
constexpr std::int64_t most = std::int64_t{1} << 40;

std::optional<std::int64_t> integer(const isl::val& value) {
    if (!value.is_int() || value.abs().gt(isl::val(value.ctx(), most))) { return std::nullopt; }
    return value.num_si();
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// The integer nearest to a / b; the smaller one of two.
std::int64_t nearest(std::int64_t a, std::int64_t b) { return -floor_div(b - 2 * a, 2 * b); }
std::int64_t truncated(std::int64_t a, std::int64_t b) { return a / b; }

// Σ part(coefficient, b) * term over the terms of `a` that are not constant; nullopt if a coefficient is not an
// integer.
std::optional<isl::aff> multiples(const isl::aff& a, std::int64_t b, std::int64_t (*part)(std::int64_t, std::int64_t)) {
    isl_local_space* const space = isl_aff_get_domain_local_space(a.get());
    isl::aff sum = isl::manage(isl_aff_zero_on_domain(space));
    for (const isl_dim_type type : {isl_dim_param, isl_dim_div}) {
        const int count = isl_aff_dim(a.get(), type);
        for (int i = 0; i < count; ++i) {
            const auto coefficient = integer(isl::manage(isl_aff_get_coefficient_val(a.get(), type, i)));
            if (!coefficient) { return std::nullopt; }
            const std::int64_t taken = part(*coefficient, b);
            if (taken == 0) { continue; }
            const isl::aff term =
                isl::manage(type == isl_dim_div ? isl_aff_get_div(a.get(), i)
                                                : isl_aff_var_on_domain(isl_aff_get_domain_local_space(a.get()), type,
                                                                        static_cast<unsigned>(i)));
            // A division's term means its floor.
            sum = sum.add((type == isl_dim_div ? term.floor() : term).scale(isl::val(a.ctx(), taken)));
        }
    }
    if (!integer(a.constant_val())) { return std::nullopt; }
    return sum;
}

Division by_floor(const isl::pw_aff& a, std::int64_t b) {
    const isl::pw_aff quotient = a.scale_down(static_cast<long>(b)).floor();
    return {quotient, a.sub(quotient.scale(static_cast<long>(b)))};
}

Division divided_piece(const isl::aff& a, std::int64_t b, const isl::set& context) {
    if (b > most) { return by_floor(isl::pw_aff(a), b); }
    for (const auto part : {nearest, truncated}) {
        const auto taken = multiples(a, b, part);
        if (!taken) { break; }
        const isl::val divisor(a.ctx(), b);
        const isl::aff rest = a.sub(taken->scale(divisor));
        const auto values = range(isl::pw_aff(rest).intersect_params(context));
        if (!values) { continue; }
        const std::int64_t whole = floor_div(values->low, b);
        if (floor_div(values->high, b) != whole) { continue; }
        const isl::val quotient(a.ctx(), whole);
        return {isl::pw_aff(taken->add_constant(quotient)),
                isl::pw_aff(rest.add_constant(quotient.mul(divisor).neg()))};
    }
    return by_floor(isl::pw_aff(a), b);
}

}  // namespace

Division divided(const isl::pw_aff& a, std::int64_t b, const isl::set& context) {
    ENSURE(b > 0, "a division by a number that is not positive");
    const isl::pw_aff nothing = constant(a.ctx(), 0).intersect_domain(nowhere(a.ctx()));
    Division result{nothing, nothing};
    a.foreach_piece([&](const isl::set& domain, const isl::multi_aff& value) {
        const isl::set here = domain.intersect(context);
        if (here.is_empty()) { return; }
        const Division piece = divided_piece(value.at(0), b, here);
        result.quotient = result.quotient.union_add(piece.quotient.intersect_domain(domain));
        result.remainder = result.remainder.union_add(piece.remainder.intersect_domain(domain));
    });
    return result;
}

}  // namespace haruspex::affine
