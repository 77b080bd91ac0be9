#include "oracle/smt/gates.h"

#include <bit>

#include "generators/base/overload.h"

namespace haruspex::smt {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;

class Gates {
public:
    Gates(const Terms& terms, const Query& query) : terms_(terms), query_(query) {}

    std::uint64_t of(Term t) const {
        return std::visit(
            Overload{[&](const Unary& n) { return of_sum(terms_.type(n.a)); }, [&](const Binary& n) { return of(n); },
                     [&](const Select& n) { return width(terms_.type(n.if_true)); },
                     [&](const Cast& n) { return of(n.to, terms_.type(n.a)); },
                     [](const auto&) { return std::uint64_t{0}; }},
            terms_[t]);
    }

private:
    // Real numbers and uninterpreted functions have none.
    bool has_gates(Type type) const {
        return query_.abstraction == Abstraction::arithmetic &&
               (!value::is_float(type) || query_.floats == Floats::ieee);
    }

    std::uint64_t width(Type type) const { return has_gates(type) ? static_cast<std::uint64_t>(value::bits(type)) : 0; }

    // A float's result is shifted into place, and rounded.
    std::uint64_t of_rounding(Type type) const { return 40 * width(type); }

    std::uint64_t of_sum(Type type) const {
        if (value::is_float(type)) { return 3 * of_rounding(type); }
        return (value::overflow_is_undefined(type) ? 2 : 1) * width(type);
    }

    std::uint64_t of(const Binary& n) const {
        const Type type = terms_.type(n.a);
        const std::uint64_t w = width(type);
        const auto* literal = std::get_if<Literal>(&terms_[n.b]);
        const auto known = literal == nullptr ? std::nullopt : std::optional(literal->value);
        switch (n.op) {
            case BinaryOp::add:
            case BinaryOp::sub: return of_sum(type);
            case BinaryOp::mul:
                if (value::is_float(type)) { return w * w + of_rounding(type); }
                return of_product(type, known);
            case BinaryOp::div:
            case BinaryOp::mod:
                if (value::is_float(type)) { return (n.op == BinaryOp::mod ? 8 : 4) * w * w + of_rounding(type); }
                return of_quotient(type, known);
            case BinaryOp::shift_left:
            case BinaryOp::shift_right: return known ? w : w * static_cast<std::uint64_t>(std::bit_width(w));
            default: return 2 * w;
        }
    }

    // Adds row by row, wide enough to detect overflow; a known factor has a row for each bit that is set.
    std::uint64_t of_product(Type type, const std::optional<value::Value>& factor) const {
        const bool may_overflow = value::overflow_is_undefined(type);
        const std::uint64_t w = width(type);
        if (factor && factor->is_defined()) {
            const std::uint64_t pattern = factor->bit_pattern();
            return static_cast<std::uint64_t>(std::popcount(pattern)) * (may_overflow ? 2 : 1) * w;
        }
        return may_overflow ? 2 * w * w : w * w / 2;
    }

    // Division by a power of two needs gates only for rounding down; other divisions count as many gates as take Z3 the
    // same time.
    std::uint64_t of_quotient(Type type, const std::optional<value::Value>& divisor) const {
        const std::uint64_t w = width(type);
        const bool is_power = divisor && divisor->is_defined() && std::has_single_bit(divisor->bit_pattern());
        return is_power ? 2 * w : (divisor ? 5 : 100) * w * w;
    }

    std::uint64_t of(Type to, Type from) const {
        if (value::is_float(to) || value::is_float(from)) { return of_rounding(value::is_float(to) ? to : from); }
        return value::overflow_is_undefined(to) ? width(to) : 0;
    }

    const Terms& terms_;
    const Query& query_;
};

}  // namespace

std::uint64_t gates(const Terms& terms, const Query& query) {
    const Gates gates(terms, query);
    std::uint64_t sum = 0;
    for (const Term t : reachable(terms, {query.specification, query.implementation})) { sum += gates.of(t); }
    return sum;
}

}  // namespace haruspex::smt
