#include "generators/affine/constraints.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "generators/affine/sets.h"
#include "generators/base/ensure.h"

namespace haruspex::affine {
namespace {

struct DoesNotFit {};

struct Free {
    void operator()(isl_val* v) const { isl_val_free(v); }
    void operator()(isl_aff* a) const { isl_aff_free(a); }
    void operator()(isl_constraint* c) const { isl_constraint_free(c); }
    void operator()(isl_constraint_list* l) const { isl_constraint_list_free(l); }
};

// Owns an object that an isl function returned; failure (out of budget) becomes isl's exception.
template <typename T>
std::unique_ptr<T, Free> own(isl::ctx ctx, T* object) {
    if (object == nullptr) { isl::exception::throw_last_error(ctx); }
    return std::unique_ptr<T, Free>(object);
}

int counted(isl::ctx ctx, isl_size size) {
    if (size < 0) { isl::exception::throw_last_error(ctx); }
    return size;
}

std::int64_t integer(isl::ctx ctx, isl_val* given) {
    const auto v = own(ctx, given);
    ENSURE(isl_val_is_int(v.get()) == isl_bool_true, "an integer coefficient is expected");
    // isl_val_get_num_si is unspecified beyond long.
    if (isl_val_cmp_si(v.get(), std::numeric_limits<long>::max()) > 0 ||
        isl_val_cmp_si(v.get(), std::numeric_limits<long>::min()) < 0) {
        throw DoesNotFit{};
    }
    return isl_val_get_num_si(v.get());
}

// An isl_aff is a linear form with integer coefficients over a common denominator.
struct Fraction {
    Affine numerator;
    std::int64_t denominator = 1;
};

Fraction fraction(isl::ctx ctx, isl_aff* given) {
    const auto original = own(ctx, given);
    if (isl_aff_is_nan(original.get()) == isl_bool_true) { throw DoesNotFit{}; }
    ENSURE(counted(ctx, isl_aff_dim(original.get(), isl_dim_in)) == 0, "an expression over parameters only");
    isl_val* const denominator = isl_aff_get_denominator_val(original.get());
    Fraction result;
    result.denominator = integer(ctx, isl_val_copy(denominator));
    const auto scaled = own(ctx, isl_aff_scale_val(isl_aff_copy(original.get()), denominator));

    result.numerator.constant = integer(ctx, isl_aff_get_constant_val(scaled.get()));
    const int parameters = counted(ctx, isl_aff_dim(scaled.get(), isl_dim_param));
    for (int i = 0; i < parameters; ++i) {
        const std::int64_t c = integer(ctx, isl_aff_get_coefficient_val(scaled.get(), isl_dim_param, i));
        if (c == 0) { continue; }
        const char* name = isl_aff_get_dim_name(scaled.get(), isl_dim_param, i);
        ENSURE(name != nullptr, "a parameter without a name");
        result.numerator.summands.push_back({name, c});
    }
    std::ranges::sort(result.numerator.summands, {}, &Summand::variable);
    const int divisions = counted(ctx, isl_aff_dim(scaled.get(), isl_dim_div));
    for (int i = 0; i < divisions; ++i) {
        const std::int64_t c = integer(ctx, isl_aff_get_coefficient_val(scaled.get(), isl_dim_div, i));
        if (c == 0) { continue; }
        Fraction floored = fraction(ctx, isl_aff_get_div(scaled.get(), i));
        result.numerator.quotients.push_back({c, std::move(floored.numerator), floored.denominator});
    }
    return result;
}

Affine rounded_down(Fraction f) {
    if (f.denominator == 1) { return std::move(f.numerator); }
    Affine whole;
    whole.quotients.push_back({1, std::move(f.numerator), f.denominator});
    return whole;
}

Conjunction conjunction(const isl::basic_set& set) {
    const isl::ctx ctx = set.ctx();
    const auto list = own(ctx, isl_basic_set_get_constraint_list(set.get()));
    Conjunction constraints;
    const int count = counted(ctx, isl_constraint_list_n_constraint(list.get()));
    for (int i = 0; i < count; ++i) {
        const auto c = own(ctx, isl_constraint_list_get_constraint(list.get(), i));
        const bool equality = isl_constraint_is_equality(c.get()) == isl_bool_true;
        Fraction f = fraction(ctx, isl_constraint_get_aff(c.get()));
        ENSURE(f.denominator == 1, "a constraint has integer coefficients");
        constraints.push_back({std::move(f.numerator), equality ? Comparison::equals_zero : Comparison::at_least_zero});
    }
    return constraints;
}

template <typename Work>
auto fitting(const Work& work, const auto& object) -> Result<decltype(work())> {
    try {
        return work();
    } catch (const DoesNotFit&) { return fail("a coefficient does not fit 64 bits: " + to_string(object)); }
}

Disjunction explicit_disjunction(const isl::set& parameters) {
    const isl::ctx ctx = parameters.ctx();
    ENSURE(counted(ctx, isl_set_dim(parameters.get(), isl_dim_set)) == 0, "a set of parameters is expected");
    isl_set* const computed = isl_set_compute_divs(parameters.copy());
    if (computed == nullptr) { isl::exception::throw_last_error(ctx); }
    Disjunction disjuncts;
    isl::manage(computed).foreach_basic_set([&](const isl::basic_set& b) { disjuncts.push_back(conjunction(b)); });
    return disjuncts;
}

std::int64_t floor_quotient(std::int64_t numerator, std::int64_t divisor) {
    return numerator / divisor - (numerator % divisor < 0 ? 1 : 0);
}

// sum += coefficient * value; false when that does not fit.
bool accumulate(std::int64_t& sum, std::int64_t coefficient, std::int64_t value) {
    std::int64_t product = 0;
    return !__builtin_mul_overflow(coefficient, value, &product) && !__builtin_add_overflow(sum, product, &sum);
}

void append(std::string& text, std::int64_t coefficient, const std::string& what) {
    const bool negative = coefficient < 0;
    // The magnitude of the least integer does not fit its own type.
    const std::uint64_t magnitude =
        negative ? 0 - static_cast<std::uint64_t>(coefficient) : static_cast<std::uint64_t>(coefficient);
    text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    if (what.empty() || magnitude != 1) { text += std::to_string(magnitude); }
    text += what;
}

}  // namespace

bool Affine::operator==(const Affine&) const = default;

Affine constant(std::int64_t value) { return {value, {}, {}}; }

Affine variable(std::string name) { return {0, {{std::move(name), 1}}, {}}; }

Result<Disjunction> disjunction(const isl::set& parameters) {
    return fitting([&] { return explicit_disjunction(parameters); }, parameters);
}

Result<Affine> affine(const isl::aff& expression) {
    if (isl_aff_is_nan(expression.get()) == isl_bool_true) { return fail("not a number: " + to_string(expression)); }
    return fitting([&] { return rounded_down(fraction(expression.ctx(), expression.copy())); }, expression);
}

Result<std::vector<Piece>> pieces(const isl::pw_aff& expression) {
    std::vector<Piece> all;
    std::optional<Error> error;
    expression.foreach_piece([&](const isl::set& domain, const isl::multi_aff& value) {
        auto where = disjunction(domain);
        auto what = affine(value.at(0));
        if (where && what) {
            all.push_back({std::move(*where), std::move(*what)});
        } else if (!error) {
            error = where ? what.error() : where.error();
        }
    });
    if (error) { return fail(std::move(*error)); }
    return all;
}

std::optional<std::int64_t> evaluate(const Affine& affine, const Assignment& assignment) {
    std::int64_t sum = affine.constant;
    for (const Summand& s : affine.summands) {
        const auto found = assignment.find(s.variable);
        ENSURE(found != assignment.end(), "no value for the variable " + s.variable);
        if (!accumulate(sum, s.coefficient, found->second)) { return std::nullopt; }
    }
    for (const Quotient& q : affine.quotients) {
        const auto numerator = evaluate(*q.numerator, assignment);
        if (!numerator || !accumulate(sum, q.coefficient, floor_quotient(*numerator, q.divisor))) {
            return std::nullopt;
        }
    }
    return sum;
}

std::optional<bool> contains(const Disjunction& disjunction, const Assignment& assignment) {
    bool known = true;
    for (const Conjunction& conjuncts : disjunction) {
        bool all = true;
        bool all_known = true;
        for (const Constraint& c : conjuncts) {
            const auto value = evaluate(c.affine, assignment);
            all_known = all_known && value.has_value();
            all = all && (!value || (c.comparison == Comparison::equals_zero ? *value == 0 : *value >= 0));
        }
        if (all && all_known) { return true; }
        known = known && (!all || all_known);
    }
    return known ? std::optional(false) : std::nullopt;
}

std::string to_string(const Affine& affine) {
    std::string text;
    for (const Summand& s : affine.summands) { append(text, s.coefficient, s.variable); }
    for (const Quotient& q : affine.quotients) {
        append(text, q.coefficient, "floor((" + to_string(*q.numerator) + ")/" + std::to_string(q.divisor) + ")");
    }
    if (affine.constant != 0 || text.empty()) { append(text, affine.constant, ""); }
    return text;
}

std::string to_string(const Disjunction& disjunction) {
    if (disjunction.empty()) { return "false"; }
    std::string text;
    for (const Conjunction& conjuncts : disjunction) {
        if (!text.empty()) { text += " or "; }
        std::string inner;
        for (const Constraint& c : conjuncts) {
            inner += inner.empty() ? "" : " and ";
            inner += to_string(c.affine) + (c.comparison == Comparison::equals_zero ? " = 0" : " >= 0");
        }
        text += inner.empty() ? "true" : inner;
    }
    return text;
}

}  // namespace haruspex::affine
