#include "generators/affine/sets.h"

#include <isl/mat.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>

#include "generators/base/ensure.h"

namespace haruspex::affine {

namespace {

// The value as a plain integer, if it fits.
std::optional<std::int64_t> to_integer(const isl::val& v) {
    // num_si of a value beyond long is unspecified, so it is read from its decimal form.
    const std::string digits = to_string(v);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range) { return std::nullopt; }
    ENSURE(error == std::errc() && end == digits.data() + digits.size(), "not an integer: " + digits);
    return value;
}

std::optional<Point> to_point(const isl::point& p) {
    const isl::multi_val coordinates = p.multi_val();
    Point point;
    for (unsigned i = 0; i < coordinates.size(); ++i) {
        const auto value = to_integer(coordinates.at(static_cast<int>(i)));
        if (!value) { return std::nullopt; }
        point.push_back(*value);
    }
    return point;
}

bool has_parameters(const isl::set& set) { return isl_set_dim(set.get(), isl_dim_param) != 0; }

// { [x] : low <= x_i <= high for each i }
isl::set cube(const isl::space& space, long low, long high) {
    isl::set set = isl::set::universe(space);
    const isl::multi_aff coordinates = space.identity_multi_aff_on_domain();
    const isl::aff zero = space.zero_aff_on_domain();
    for (unsigned i = 0; i < coordinates.size(); ++i) {
        const isl::pw_aff x(coordinates.at(static_cast<int>(i)));
        set = set.intersect(x.ge_set(isl::pw_aff(zero.add_constant(low))));
        set = set.intersect(x.le_set(isl::pw_aff(zero.add_constant(high))));
    }
    return set;
}

struct TooManyPoints {};
struct Overflow {};

}  // namespace

isl::space set_space(isl::ctx ctx, const std::vector<std::string>& parameters, std::size_t rank) {
    isl::space space = isl::space::unit(ctx);
    for (const std::string& name : parameters) { space = space.add_param(name); }
    return space.add_unnamed_tuple(static_cast<unsigned>(rank));
}

isl::set fix_parameters(const isl::set& set, const std::map<std::string, std::int64_t>& values) {
    isl::set fixed = set;
    for (const auto& [name, value] : values) {
        const isl::space params = isl::space::unit(set.ctx()).add_param(name);
        const isl::pw_aff parameter(params.param_aff_on_domain(name));
        const isl::pw_aff constant(params.zero_aff_on_domain().add_constant(static_cast<long>(value)));
        fixed = fixed.intersect_params(parameter.eq_set(constant)).project_out_param(name);
    }
    return fixed;
}

bool is_bounded(const isl::set& set) {
    const isl_bool bounded = isl_set_is_bounded(set.get());
    if (bounded == isl_bool_error) { isl::exception::throw_last_error(set.ctx()); }
    return bounded == isl_bool_true;
}

bool is_written_alike(const isl::set& a, const isl::set& b) {
    return isl_set_plain_is_equal(a.get(), b.get()) == isl_bool_true;
}

std::uint32_t hash(const isl::set& set) { return isl_set_get_hash(set.get()); }

std::uint32_t hash(const isl::pw_aff& expression) { return isl_pw_aff_get_hash(expression.get()); }

isl::set with_divisions(const isl::set& set) { return isl::manage(isl_set_compute_divs(set.copy())); }

namespace {

// The product of the largest coefficients of all existential variables.
double intricacy(const isl::basic_set& part) {
    const int count = isl_basic_set_dim(part.get(), isl_dim_div);
    std::vector<double> largest(static_cast<std::size_t>(std::max(count, 0)), 1);
    // Existential variables come first.
    const auto look = [&](isl_mat* coefficients) {
        for (int row = 0; row < isl_mat_rows(coefficients); ++row) {
            for (std::size_t k = 0; k < largest.size(); ++k) {
                const isl::val c = isl::manage(isl_mat_get_element_val(coefficients, row, static_cast<int>(k)));
                largest[k] = std::max(largest[k], std::abs(isl_val_get_d(c.get())));
            }
        }
        isl_mat_free(coefficients);
    };
    look(isl_basic_set_equalities_matrix(part.get(), isl_dim_div, isl_dim_param, isl_dim_set, isl_dim_cst));
    look(isl_basic_set_inequalities_matrix(part.get(), isl_dim_div, isl_dim_param, isl_dim_set, isl_dim_cst));
    return std::accumulate(largest.begin(), largest.end(), 1.0, std::multiplies<>());
}

}  // namespace

void give_up_if_intricate(const isl::set& set) {
    constexpr double most = 1'000;
    set.foreach_basic_set([&](const isl::basic_set& part) {
        const isl::set one(part);
        const isl::set known = isl::manage(isl_set_remove_unknown_divs(one.copy()));
        if (is_written_alike(one, known) || intricacy(part) <= most) { return; }
        isl::exception::throw_error(isl_error_quota, "an intricate set", __FILE__, __LINE__);
    });
}

bool contains(const isl::set& set, const Point& point) {
    const isl::space space = set.space();
    isl::set single = isl::set::universe(space);
    const isl::multi_aff coordinates = space.identity_multi_aff_on_domain();
    ENSURE(coordinates.size() == point.size(), "the point has another rank than the set");
    for (std::size_t i = 0; i < point.size(); ++i) {
        const isl::pw_aff x(coordinates.at(static_cast<int>(i)));
        const isl::pw_aff value(space.zero_aff_on_domain().add_constant(static_cast<long>(point[i])));
        single = single.intersect(x.eq_set(value));
    }
    return single.is_subset(set);
}

Result<std::vector<Point>> points(const isl::set& set, std::size_t most) {
    ENSURE(!has_parameters(set), "only the points of a set without parameters can be listed");
    if (!is_bounded(set)) { return fail("the set is not bounded: " + to_string(set)); }
    std::vector<Point> found;
    try {
        set.foreach_point([&](const isl::point& p) {
            if (found.size() == most) { throw TooManyPoints{}; }
            std::optional<Point> point = to_point(p);
            if (!point) { throw Overflow{}; }
            found.push_back(std::move(*point));
        });
    } catch (const TooManyPoints&) {
        return fail("the set has more than " + std::to_string(most) + " points: " + to_string(set));
    } catch (const Overflow&) { return fail("the set has points beyond 64 bits: " + to_string(set)); }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::optional<Point> small_point(const isl::set& set) {
    ENSURE(!has_parameters(set), "only a set without parameters has points of its own");
    if (set.is_empty()) { return std::nullopt; }
    // Non-negative points first: they read best as sizes and positions.
    for (const auto& [low, high] : {std::pair{0L, 2L}, {0L, 16L}, {-16L, 64L}, {-4096L, 4096L}}) {
        const isl::set near = set.intersect(cube(set.space(), low, high));
        if (!near.is_empty()) { return to_point(near.lexmin().sample_point()); }
    }
    return to_point(set.sample_point());
}

std::optional<Interval> range(const isl::pw_aff& expression) {
    // isl does not find an extremum of x/3, even where 3 divides x.
    const isl::pw_aff whole = expression.floor();
    const isl::val least = whole.min_val(), greatest = whole.max_val();
    // NaN if the expression has no value at all.
    if (!least.is_int() || !greatest.is_int()) { return std::nullopt; }
    const auto low = to_integer(least), high = to_integer(greatest);
    if (!low || !high) { return std::nullopt; }
    return Interval{*low, *high};
}

}  // namespace haruspex::affine
