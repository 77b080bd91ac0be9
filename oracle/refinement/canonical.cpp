#include "oracle/refinement/canonical.h"

#include <bit>
#include <cmath>

namespace haruspex::refinement {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

class Canonical {
public:
    explicit Canonical(Values& values) : values_(values) {}

    std::optional<Term> unary(UnaryOp op, Term a) {
        const Type type = values_.type(a);
        if (op == UnaryOp::logical_not) { return negated(a); }
        if (op == UnaryOp::negate) { return values_.apply(BinaryOp::sub, number(type, 0), a); }
        const auto range = values_.range(a);
        const bool is_itself = op == UnaryOp::absolute && range && range->low >= 0;
        return is_itself ? std::optional(values_.cast(*value::result_type(op, type), a)) : std::nullopt;
    }

    std::optional<Term> binary(BinaryOp op, Term a, Term b) {
        switch (op) {
            case BinaryOp::gt: return values_.apply(BinaryOp::lt, b, a);
            case BinaryOp::ge: return values_.apply(BinaryOp::le, b, a);
            case BinaryOp::shift_left: return by_power(BinaryOp::mul, a, b);
            case BinaryOp::shift_right: return by_power(BinaryOp::div, a, b);
            case BinaryOp::bit_and: return a == b ? std::optional(a) : unmasked(a, b);
            case BinaryOp::bit_or:
            case BinaryOp::logical_and:
            case BinaryOp::logical_or: return a == b ? std::optional(a) : std::nullopt;
            case BinaryOp::add: return with_itself(op, a, b);
            case BinaryOp::sub: return a == b ? with_itself(op, a, b) : added(a, b);
            case BinaryOp::mul:
                if (value::is_float(values_.type(a))) {
                    return b == number(values_.type(b), 1) ? std::optional(a) : std::nullopt;
                }
                if (const auto rest = without_remainder(a, b)) { return rest; }
                return factored(a, b);
            case BinaryOp::div: return value::is_float(values_.type(a)) ? by_reciprocal(a, b) : with_itself(op, a, b);
            case BinaryOp::min:
            case BinaryOp::max:
                if (value::is_float(values_.type(a))) { return limited_float(op, a, b); }
                return a == b ? std::optional(a) : limited(op, a, b);
            case BinaryOp::eq:
            case BinaryOp::ne: return held_bool(op, a, b);
            default: return std::nullopt;
        }
    }

    std::optional<Term> cast(Type to, Term a) {
        if (to == Type::boolean) { return values_.apply(BinaryOp::ne, a, number(values_.type(a), 0)); }
        const auto* inner = std::get_if<smt::Binary>(&values_.terms()[a]);
        if (inner == nullptr || !value::is_integer(to)) { return std::nullopt; }
        const auto [op, x, y] = *inner;
        const bool is_order = op == BinaryOp::min || op == BinaryOp::max;
        const bool is_number = op == BinaryOp::add || op == BinaryOp::sub || op == BinaryOp::mul;
        if (!is_order && !(is_number && values_.is_exact(a))) { return std::nullopt; }
        if (!values_.fits(a, to) || !values_.fits(x, to) || !values_.fits(y, to)) { return std::nullopt; }
        return values_.apply(op, values_.cast(to, x), values_.cast(to, y));
    }

    std::optional<Term> select(Term condition, Term if_true, Term if_false) {
        // The other arm must not be dropped if the condition may be Undef.
        if (if_true == if_false && values_.is_never_undef(condition)) { return if_true; }
        const Value* yes = values_.literal_of(if_true);
        const Value* no = values_.literal_of(if_false);
        if (yes != nullptr && no != nullptr && *yes == Value::boolean(true) && *no == Value::boolean(false)) {
            return condition;
        }
        if (yes != nullptr && no != nullptr && *yes == Value::boolean(false) && *no == Value::boolean(true)) {
            return values_.apply(UnaryOp::logical_not, condition);
        }
        const smt::Node& node = values_.terms()[condition];
        if (const auto* negation = std::get_if<smt::Unary>(&node)) {
            return values_.select(negation->a, if_false, if_true);
        }
        const auto* comparison = std::get_if<smt::Binary>(&node);
        if (comparison == nullptr || (comparison->op != BinaryOp::ne && comparison->op != BinaryOp::le)) {
            return std::nullopt;
        }
        const auto opposite = negated(condition);
        return opposite ? std::optional(values_.select(*opposite, if_false, if_true)) : std::nullopt;
    }

private:
    const Value* integer(Term t) const {
        const Value* literal = values_.literal_of(t);
        return literal != nullptr && literal->is_defined() && value::is_integer(literal->type()) ? literal : nullptr;
    }

    // For floats, whose comparisons are false if one operand is NaN, only rewrites that remain correct then.
    std::optional<Term> negated(Term condition) {
        const smt::Node& node = values_.terms()[condition];
        if (const auto* inner = std::get_if<smt::Unary>(&node)) { return inner->a; }
        const auto* comparison = std::get_if<smt::Binary>(&node);
        if (comparison == nullptr) { return std::nullopt; }
        const auto [op, a, b] = *comparison;
        if (op == BinaryOp::eq) { return values_.apply(BinaryOp::ne, a, b); }
        if (op == BinaryOp::ne) { return values_.apply(BinaryOp::eq, a, b); }
        if (!value::is_integer(values_.type(a))) { return std::nullopt; }
        if (op == BinaryOp::lt) { return values_.apply(BinaryOp::le, b, a); }
        return op == BinaryOp::le ? std::optional(values_.apply(BinaryOp::lt, b, a)) : std::nullopt;
    }

    Term number(Type type, std::int64_t n) { return values_.literal(Value::integer(type, n)); }

    // 2^exponent, if it is a positive number of the type.
    std::optional<Term> power_of_two(Type type, std::uint64_t exponent) {
        const int most = value::bits(type) - (value::is_signed_integer(type) ? 2 : 1);
        if (exponent > static_cast<std::uint64_t>(most)) { return std::nullopt; }
        return values_.literal(Value::from_bits(type, std::uint64_t{1} << exponent));
    }

    std::optional<Term> with_itself(BinaryOp op, Term a, Term b) {
        const Type type = values_.type(a);
        if (a != b) { return std::nullopt; }
        if (op == BinaryOp::add) { return values_.apply(BinaryOp::mul, a, number(type, 2)); }
        if (value::is_float(type)) { return std::nullopt; }
        const Term zero = number(type, 0);
        if (op == BinaryOp::div) { return values_.select(values_.apply(BinaryOp::eq, a, zero), zero, number(type, 1)); }
        return values_.is_always_defined(a) ? std::optional(zero) : std::nullopt;
    }

    // For a power of two, whose reciprocal rounds as the quotient does.
    std::optional<Term> by_reciprocal(Term a, Term b) {
        constexpr int most_exponent = 30;
        const Value* literal = values_.literal_of(b);
        if (literal == nullptr || !literal->is_defined()) { return std::nullopt; }
        int exponent = 0;
        const double fraction = std::frexp(literal->as_double(), &exponent);
        if (std::abs(fraction) != 0.5 || std::abs(exponent) > most_exponent) { return std::nullopt; }
        const Value one = Value::integer(literal->type(), 1);
        return values_.apply(BinaryOp::mul, a, values_.literal(value::apply(BinaryOp::div, one, *literal)));
    }

    // Adds the negative of a literal. Not for zeros: the negative computed here does not have the sign of -0.0.
    std::optional<Term> added(Term a, Term b) {
        const Value* literal = values_.literal_of(b);
        const Value zero = Value::integer(values_.type(b), 0);
        if (literal == nullptr || !literal->is_defined() || value::same_number(*literal, zero)) { return std::nullopt; }
        const Value negative = value::apply(BinaryOp::sub, zero, *literal);
        if (!negative.is_defined()) { return std::nullopt; }
        return values_.apply(BinaryOp::add, a, values_.literal(negative));
    }

    std::optional<Term> by_power(BinaryOp op, Term a, Term shift) {
        const Value* literal = integer(shift);
        const auto power = literal == nullptr ? std::nullopt : power_of_two(values_.type(a), literal->bit_pattern());
        return power ? std::optional(values_.apply(op, a, *power)) : std::nullopt;
    }

    // For a mask 2^n - 1.
    std::optional<Term> unmasked(Term a, Term mask) {
        const Value* literal = integer(mask);
        if (literal == nullptr || !std::has_single_bit(literal->bit_pattern() + 1)) { return std::nullopt; }
        const auto modulus =
            power_of_two(values_.type(a), static_cast<std::uint64_t>(std::countr_one(literal->bit_pattern())));
        return modulus ? std::optional(values_.apply(BinaryOp::mod, a, *modulus)) : std::nullopt;
    }

    // max(min(x, h), l) for min(max(x, l), h) with l <= h, so that limits on one side meet.
    std::optional<Term> limited(BinaryOp op, Term a, Term limit) {
        const auto* inner = std::get_if<smt::Binary>(&values_.terms()[a]);
        if (integer(limit) == nullptr || inner == nullptr || integer(inner->b) == nullptr) { return std::nullopt; }
        const Term x = inner->a, other = inner->b;
        if (inner->op == op) { return values_.apply(op, x, values_.apply(op, other, limit)); }
        if (inner->op == BinaryOp::add) { return moved(op, a, x, other, limit); }
        if (inner->op == BinaryOp::mul) { return scaled(op, a, x, other, limit); }
        const bool is_turned = op == BinaryOp::min && inner->op == BinaryOp::max;
        if (!is_turned || values_.range(other)->low > values_.range(limit)->low) { return std::nullopt; }
        return values_.apply(BinaryOp::max, values_.apply(BinaryOp::min, x, limit), other);
    }

    // min(x + n, h) is min(x, h - n) + n if no sum overflows.
    std::optional<Term> moved(BinaryOp op, Term sum, Term x, Term n, Term limit) {
        if (!values_.is_exact(sum)) { return std::nullopt; }
        const auto rest = value::apply(BinaryOp::sub, *values_.range(limit), *values_.range(n));
        if (!rest || rest->low != rest->high) { return std::nullopt; }
        const Term nearer = values_.literal(Value::from_bits(rest->type, static_cast<std::uint64_t>(rest->low)));
        return values_.apply(BinaryOp::add, values_.apply(op, x, nearer), n);
    }

    // min(x * n, n * h) is min(x, h) * n if the product does not overflow; for a negative factor, max(x, h) * n.
    std::optional<Term> scaled(BinaryOp op, Term product, Term x, Term n, Term limit) {
        const value::Int128 factor = values_.range(n)->low, nearest = values_.range(limit)->low;
        if (!values_.is_exact(product) || factor == 0 || nearest % factor != 0) { return std::nullopt; }
        const value::Range all = value::full_range(values_.type(x));
        const value::Int128 nearer = nearest / factor;
        if (nearer < all.low || nearer > all.high) { return std::nullopt; }
        const BinaryOp turned = op == BinaryOp::min ? BinaryOp::max : BinaryOp::min;
        const Term h = values_.literal(Value::from_bits(all.type, static_cast<std::uint64_t>(nearer)));
        return values_.apply(BinaryOp::mul, values_.apply(factor > 0 ? op : turned, x, h), n);
    }

    // x - x % n for (x / n) * n: division by a positive n rounds down.
    std::optional<Term> without_remainder(Term quotient, Term n) {
        const auto* division = std::get_if<smt::Binary>(&values_.terms()[quotient]);
        const bool is_one = division != nullptr && division->op == BinaryOp::div && division->b == n &&
                            integer(n) != nullptr && values_.range(n)->low > 0;
        if (!is_one) { return std::nullopt; }
        const Term x = division->a;
        return values_.apply(BinaryOp::sub, x, values_.apply(BinaryOp::mod, x, n));
    }

    // (a * x) * n for a * (x * n), if neither overflows.
    std::optional<Term> factored(Term a, Term b) {
        for (const auto& [other, multiple] : {std::pair(a, b), std::pair(b, a)}) {
            const auto* inner = std::get_if<smt::Binary>(&values_.terms()[multiple]);
            if (inner == nullptr || inner->op != BinaryOp::mul || integer(inner->b) == nullptr) { continue; }
            if (integer(other) != nullptr || !values_.is_exact(multiple)) { continue; }
            const Term x = inner->a, n = inner->b;
            const auto old = product(values_.range(other), values_.range(multiple));
            const auto made = product(product(values_.range(other), values_.range(x)), values_.range(n));
            if (!old || !made) { continue; }
            return values_.apply(BinaryOp::mul, values_.apply(BinaryOp::mul, other, x), n);
        }
        return std::nullopt;
    }

    // nullopt if it may overflow: then the range is the whole type's, or there is none.
    static std::optional<value::Range> product(const std::optional<value::Range>& a,
                                               const std::optional<value::Range>& b) {
        const auto range = a && b ? value::apply(BinaryOp::mul, *a, *b) : std::nullopt;
        return range && *range != value::full_range(range->type) ? range : std::nullopt;
    }

    // The limit of two converted integers is the converted limit. min(x * 2^n, 2^n * h) is min(x, h) * 2^n.
    std::optional<Term> limited_float(BinaryOp op, Term a, Term b) {
        if (const auto whole = values_.terms()[a]; std::holds_alternative<smt::Cast>(whole)) {
            const Type to = values_.type(a);
            const Term x = std::get<smt::Cast>(whole).a;
            const auto y = whole_number(b, values_.type(x));
            if (!value::is_integer(values_.type(x)) || !y) { return std::nullopt; }
            return values_.cast(to, values_.apply(op, x, *y));
        }
        const auto* inner = std::get_if<smt::Binary>(&values_.terms()[a]);
        const Value* limit = values_.literal_of(b);
        const Value* factor = inner == nullptr || inner->op != BinaryOp::mul ? nullptr : values_.literal_of(inner->b);
        if (factor == nullptr || limit == nullptr || !factor->is_defined() || !limit->is_defined()) {
            return std::nullopt;
        }
        // No sum of exponents is near the limits of floats.
        constexpr double most_factor = 1024, most_limit = 1e9, least_limit = 1e-9;
        int exponent = 0;
        const double n = factor->as_double(), h = std::abs(limit->as_double());
        const bool is_power = n > 1 && n <= most_factor && std::frexp(n, &exponent) == 0.5;
        if (!is_power || !(h <= most_limit && h >= least_limit)) { return std::nullopt; }
        const Term x = inner->a, power = inner->b;
        const Term nearer = values_.literal(value::apply(BinaryOp::div, *limit, *factor));
        return values_.apply(BinaryOp::mul, values_.apply(op, x, nearer), power);
    }

    // The integer of the type that equals the float.
    std::optional<Term> whole_number(Term t, Type integers) {
        const smt::Node node = values_.terms()[t];
        if (const auto* cast = std::get_if<smt::Cast>(&node)) {
            return values_.type(cast->a) == integers ? std::optional(cast->a) : std::nullopt;
        }
        constexpr double most = 1 << 24;
        const Value* literal = values_.literal_of(t);
        const bool is_near = literal != nullptr && literal->is_defined() && std::abs(literal->as_double()) <= most;
        if (!is_near || !value::is_integer(integers)) { return std::nullopt; }
        const Value whole = value::cast(integers, *literal);
        const bool is_same = whole.is_defined() && value::cast(literal->type(), whole) == *literal;
        return is_same ? std::optional(values_.literal(whole)) : std::nullopt;
    }

    // The bool that a byte holds, for a comparison with zero.
    std::optional<Term> held_bool(BinaryOp op, Term a, Term b) {
        const Value* literal = integer(b);
        const auto* byte = std::get_if<smt::Cast>(&values_.terms()[a]);
        if (literal == nullptr || byte == nullptr || values_.type(byte->a) != Type::boolean ||
            *literal != Value::integer(byte->to, 0)) {
            return std::nullopt;
        }
        return op == BinaryOp::ne ? byte->a : values_.apply(UnaryOp::logical_not, byte->a);
    }

    Values& values_;
};

}  // namespace

std::optional<Term> canonical_unary(Values& values, UnaryOp op, Term a) { return Canonical(values).unary(op, a); }

std::optional<Term> canonical_binary(Values& values, BinaryOp op, Term a, Term b) {
    return Canonical(values).binary(op, a, b);
}

std::optional<Term> canonical_cast(Values& values, Type to, Term a) { return Canonical(values).cast(to, a); }

std::optional<Term> canonical_select(Values& values, Term condition, Term if_true, Term if_false) {
    return Canonical(values).select(condition, if_true, if_false);
}

}  // namespace haruspex::refinement
