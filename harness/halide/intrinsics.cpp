#include <map>

#include "harness/halide/translator.h"

// Translates intrinsics to the operators they stand for. Some compute in twice the width, which does not exist at 64
// bits. What later versions add beside those here (concat_bits, extract_bits, round, target_…, get_runtime_vscale) comes
// only from calls in a program, of which ours have none.
namespace haruspex::halide {
namespace {

using value::BinaryOp;
using value::Type;

Type widened(Type type) {
    switch (type) {
        case Type::u8: return Type::u16;
        case Type::u16: return Type::u32;
        case Type::u32: return Type::u64;
        case Type::i8: return Type::i16;
        case Type::i16: return Type::i32;
        case Type::i32: return Type::i64;
        case Type::f32: return Type::f64;
        default: throw NotTranslated("an intrinsic that widens", std::string(value::name(type)));
    }
}

Term constant(Type type, std::int64_t n) { return literal_term(value::Value::integer(type, n)); }
Term wide(const Term& a) { return cast(widened(a.type.type), a); }

Term largest(Type type) { return literal_term(*value::neutral(value::ReductionOp::min, type)); }
Term smallest(Type type) { return literal_term(*value::neutral(value::ReductionOp::max, type)); }

Term clamp_to(Type type, Term a) {
    const Type from = a.type.type;
    Term low = cast(from, smallest(type));
    // An unsigned type's least value fits every type; a signed type's needs a signed type.
    a = apply(BinaryOp::max, std::move(a), std::move(low));
    return cast(type, apply(BinaryOp::min, std::move(a), cast(from, largest(type))));
}

// Returns the nearest integer of the type. A bound is applied only if values of `a` may lie beyond it; the bound is
// then a value of the type of `a`.
Term saturated(Type type, Term a) {
    const Type from = a.type.type;
    if (!value::is_integer(from) || !value::is_integer(type)) {
        throw NotTranslated("intrinsic", "saturating_cast of floats");
    }
    const auto magnitude_bits = [](Type t) { return value::bits(t) - (value::is_signed_integer(t) ? 1 : 0); };
    const bool may_be_less =
        value::is_signed_integer(from) && (value::is_unsigned_integer(type) || value::bits(from) > value::bits(type));
    if (may_be_less) {
        Term low = value::is_unsigned_integer(type) ? constant(from, 0) : cast(from, smallest(type));
        a = apply(BinaryOp::max, std::move(a), std::move(low));
    }
    if (magnitude_bits(from) > magnitude_bits(type)) {
        a = apply(BinaryOp::min, std::move(a), cast(from, largest(type)));
    }
    return cast(type, std::move(a));
}

// Returns a type that holds the sum, difference and so on of two narrow values; the difference of unsigned values needs
// a sign.
Type wide_signed(Type type) {
    const Type w = widened(type);
    return value::is_unsigned_integer(w) ? value::to_signed(w) : w;
}

// Shifts by an amount converted to the value's type. A signed amount may shift an unsigned value the other way. An
// unsigned amount must not become negative in a signed type: from the value's bits on the shift is Undef anyway.
Term shift(BinaryOp op, Term a, Term amount) {
    const Type type = a.type.type;
    const Type of_amount = amount.type.type;
    const bool may_turn_negative = value::is_signed_integer(type) && value::is_unsigned_integer(of_amount) &&
                                   value::bits(of_amount) >= value::bits(type);
    const auto* literal = std::get_if<sched::Literal>(&amount.expr.node);
    const bool is_small = literal != nullptr && literal->value.is_defined() &&
                          literal->value.bit_pattern() < static_cast<std::uint64_t>(value::bits(type));
    if (may_turn_negative && !is_small) {
        amount = apply(BinaryOp::min, std::move(amount), constant(of_amount, value::bits(type)));
    }
    const bool turns = value::is_unsigned_integer(type) && value::is_signed_integer(amount.type.type);
    if (!turns) { return apply(op, std::move(a), cast(type, std::move(amount))); }
    const Type from = amount.type.type;
    const Term zero = constant(from, 0);
    const BinaryOp other = op == BinaryOp::shift_left ? BinaryOp::shift_right : BinaryOp::shift_left;
    Term forward = apply(op, a, cast(type, apply(BinaryOp::max, amount, zero)));
    Term back = apply(other, a, cast(type, apply(BinaryOp::max, apply(BinaryOp::sub, zero, amount), zero)));
    return select(apply(BinaryOp::lt, std::move(amount), zero), std::move(back), std::move(forward));
}

// Computes the sum in a type that holds it.
Term rounded_widely(const Term& a, const Term& amount) {
    const Type w = widened(a.type.type);
    const Type from = amount.type.type;
    const bool turns = value::is_unsigned_integer(w) && value::is_signed_integer(from);
    const Term by = cast(w, turns ? apply(BinaryOp::max, amount, constant(from, 0)) : amount);
    const Term unit = apply(BinaryOp::shift_left, constant(w, 1), apply(BinaryOp::max, by, constant(w, 0)));
    const Term sum = apply(BinaryOp::add, wide(a), apply(BinaryOp::div, unit, constant(w, 2)));
    return cast(a.type.type, turns ? shift(BinaryOp::shift_right, sum, amount) : apply(BinaryOp::shift_right, sum, by));
}

// Whether the amount is known to shift by fewer bits than the value has, or by exactly as many to the right.
bool is_within(const Term& amount, int bits) {
    const auto* literal = std::get_if<sched::Literal>(&amount.expr.node);
    if (literal == nullptr || !literal->value.is_defined()) { return false; }
    if (value::is_unsigned_integer(literal->value.type())) {
        return literal->value.as_unsigned() <= static_cast<std::uint64_t>(bits);
    }
    return -bits < literal->value.as_signed() && literal->value.as_signed() <= bits;
}

// (a + half of 2^amount) >> amount, rounding half up. Undef if the amount is more than the value's bits, however wide
// the sum is: code is generated from shifts of the value's own type. Also Undef if it is exactly the value's bits and
// not a constant: then one of these shifts is by all bits.
Term rounding_shift_right(const Term& a, const Term& amount) {
    Term rounded = rounded_widely(a, amount);
    if (is_within(amount, value::bits(a.type.type))) { return rounded; }
    const Term shifted = shift(BinaryOp::shift_right, a, amount);
    return apply(BinaryOp::add, std::move(rounded), apply(BinaryOp::sub, shifted, shifted));
}

// The same by a constant, in the type of the shifted value, which has no room for the half.
Term rounding_shift_right_in_place(const Term& a, const Term& amount) {
    const auto* literal = std::get_if<sched::Literal>(&amount.expr.node);
    if (literal == nullptr || !literal->value.is_defined()) { throw NotTranslated("a shift by no number"); }
    const Type type = a.type.type;
    const std::uint64_t n = literal->value.bit_pattern();
    const auto bits = static_cast<std::uint64_t>(value::bits(type));
    const auto shifted = [&](std::uint64_t by) {
        return apply(BinaryOp::shift_right, a, constant(type, static_cast<std::int64_t>(by)));
    };
    if (n == 0) { return a; }
    if (n > bits) { return shifted(n); }
    Term half = apply(BinaryOp::bit_and, shifted(n - 1), constant(type, 1));
    if (n < bits) { return apply(BinaryOp::add, shifted(n), std::move(half)); }
    return value::is_unsigned_integer(type) ? half : apply(BinaryOp::add, shifted(bits - 1), std::move(half));
}

// Translates index arithmetic that has become shifts by constants.
std::optional<Term> index_shift(bool left, const std::vector<Term>& a) {
    if (a.size() != 2 || !a[0].is_index()) { return std::nullopt; }
    std::int64_t amount = -1;
    if (const auto* n = std::get_if<sched::Integer>(&a[1].expr.node)) { amount = n->value; }
    if (const auto* n = std::get_if<sched::Literal>(&a[1].expr.node)) {
        if (value::is_unsigned_integer(n->value.type())) { amount = static_cast<std::int64_t>(n->value.as_unsigned()); }
    }
    if (amount < 0 || amount > 30) { return std::nullopt; }
    const Term factor = integer(std::int64_t{1} << amount);
    return left ? arithmetic(sched::IndexOp::mul, BinaryOp::mul, a[0], factor)
                : arithmetic(sched::IndexOp::div, BinaryOp::div, a[0], factor);
}

using Rule = Term (*)(Type result, const std::vector<Term>& a);

template <BinaryOp op>
Term operation(Type, const std::vector<Term>& a) {
    return apply(op, a[0], a[1]);
}

const std::map<std::string, std::pair<std::size_t, Rule>>& rules() {
    static const std::map<std::string, std::pair<std::size_t, Rule>> all{
        {"bitwise_and", {2, [](Type, const std::vector<Term>& a) { return apply(BinaryOp::bit_and, a[0], a[1]); }}},
        {"bitwise_or", {2, [](Type, const std::vector<Term>& a) { return apply(BinaryOp::bit_or, a[0], a[1]); }}},
        {"bitwise_xor", {2, [](Type, const std::vector<Term>& a) { return apply(BinaryOp::bit_xor, a[0], a[1]); }}},
        {"bitwise_not", {1, [](Type, const std::vector<Term>& a) { return apply(value::UnaryOp::bit_not, a[0]); }}},
        {"shift_left", {2, [](Type, const std::vector<Term>& a) { return shift(BinaryOp::shift_left, a[0], a[1]); }}},
        {"shift_right", {2, [](Type, const std::vector<Term>& a) { return shift(BinaryOp::shift_right, a[0], a[1]); }}},
        {"abs",
         {1,
          [](Type, const std::vector<Term>& a) {
              return value::is_unsigned_integer(a[0].type.type) ? a[0] : apply(value::UnaryOp::absolute, a[0]);
          }}},
        {"absd",
         {2,
          [](Type result, const std::vector<Term>& a) {
              if (value::is_float(result)) { return apply(value::UnaryOp::absolute, apply(BinaryOp::sub, a[0], a[1])); }
              const Type w = wide_signed(a[0].type.type);
              const Term x = cast(w, a[0]), y = cast(w, a[1]);
              return cast(result, apply(BinaryOp::sub, apply(BinaryOp::max, x, y), apply(BinaryOp::min, x, y)));
          }}},
        {"widening_add",
         {2, [](Type result,
                const std::vector<Term>& a) { return apply(BinaryOp::add, cast(result, a[0]), cast(result, a[1])); }}},
        {"widening_sub",
         {2, [](Type result,
                const std::vector<Term>& a) { return apply(BinaryOp::sub, cast(result, a[0]), cast(result, a[1])); }}},
        {"widening_mul",
         {2, [](Type result,
                const std::vector<Term>& a) { return apply(BinaryOp::mul, cast(result, a[0]), cast(result, a[1])); }}},
        {"widening_shift_left",
         {2, [](Type result,
                const std::vector<Term>& a) { return shift(BinaryOp::shift_left, cast(result, a[0]), a[1]); }}},
        {"widening_shift_right",
         {2, [](Type result,
                const std::vector<Term>& a) { return shift(BinaryOp::shift_right, cast(result, a[0]), a[1]); }}},
        {"halving_add",
         {2,
          [](Type result, const std::vector<Term>& a) {
              const Type w = widened(result);
              return cast(result, apply(BinaryOp::div, apply(BinaryOp::add, wide(a[0]), wide(a[1])), constant(w, 2)));
          }}},
        {"halving_sub",
         {2,
          [](Type result, const std::vector<Term>& a) {
              const Type w = wide_signed(result);
              return cast(result,
                          apply(BinaryOp::div, apply(BinaryOp::sub, cast(w, a[0]), cast(w, a[1])), constant(w, 2)));
          }}},
        {"rounding_halving_add",
         {2,
          [](Type result, const std::vector<Term>& a) {
              const Type w = widened(result);
              const Term sum = apply(BinaryOp::add, apply(BinaryOp::add, wide(a[0]), wide(a[1])), constant(w, 1));
              return cast(result, apply(BinaryOp::div, sum, constant(w, 2)));
          }}},
        {"rounding_shift_right",
         {2, [](Type, const std::vector<Term>& a) { return rounding_shift_right(a[0], a[1]); }}},
        {"saturating_add",
         {2,
          [](Type result, const std::vector<Term>& a) {
              if (value::is_float(result)) { return apply(BinaryOp::add, a[0], a[1]); }
              return clamp_to(result, apply(BinaryOp::add, wide(a[0]), wide(a[1])));
          }}},
        {"saturating_sub",
         {2,
          [](Type result, const std::vector<Term>& a) {
              if (value::is_float(result)) { return apply(BinaryOp::sub, a[0], a[1]); }
              const Type w = wide_signed(result);
              return clamp_to(result, apply(BinaryOp::sub, cast(w, a[0]), cast(w, a[1])));
          }}},
        {"saturating_cast", {1, [](Type result, const std::vector<Term>& a) { return saturated(result, a[0]); }}},
        // Since version 15: the right operand is half as wide.
        {"widen_right_add",
         {2, [](Type result, const std::vector<Term>& a) { return apply(BinaryOp::add, a[0], cast(result, a[1])); }}},
        {"widen_right_sub",
         {2, [](Type result, const std::vector<Term>& a) { return apply(BinaryOp::sub, a[0], cast(result, a[1])); }}},
        {"widen_right_mul",
         {2, [](Type result, const std::vector<Term>& a) { return apply(BinaryOp::mul, a[0], cast(result, a[1])); }}},
        {"sorted_avg",
         {2,
          [](Type result, const std::vector<Term>& a) {
              const Type w = widened(result);
              return cast(result, apply(BinaryOp::div, apply(BinaryOp::add, wide(a[0]), wide(a[1])), constant(w, 2)));
          }}},
        {"mul_shift_right",
         {3,
          [](Type result, const std::vector<Term>& a) {
              const Type w = widened(a[0].type.type);
              const Term product = apply(BinaryOp::mul, wide(a[0]), wide(a[1]));
              return clamp_to(result, apply(BinaryOp::shift_right, product, cast(w, a[2])));
          }}},
        {"rounding_mul_shift_right",
         {3,
          [](Type result, const std::vector<Term>& a) {
              const Term product = apply(BinaryOp::mul, wide(a[0]), wide(a[1]));
              return clamp_to(result, rounding_shift_right_in_place(product, a[2]));
          }}},
        {"strict_float", {1, [](Type, const std::vector<Term>& a) { return a[0]; }}},
        // The operators in a strict_float, later than version 19.
        {"strict_add", {2, operation<BinaryOp::add>}},
        {"strict_sub", {2, operation<BinaryOp::sub>}},
        {"strict_mul", {2, operation<BinaryOp::mul>}},
        {"strict_div", {2, operation<BinaryOp::div>}},
        {"strict_min", {2, operation<BinaryOp::min>}},
        {"strict_max", {2, operation<BinaryOp::max>}},
        {"strict_eq", {2, operation<BinaryOp::eq>}},
        {"strict_lt", {2, operation<BinaryOp::lt>}},
        {"strict_le", {2, operation<BinaryOp::le>}},
        {"unsafe_promise_clamped", {3, [](Type, const std::vector<Term>& a) { return a[0]; }}},
        {"promise_clamped", {3, [](Type, const std::vector<Term>& a) { return a[0]; }}},
        {"likely", {1, [](Type, const std::vector<Term>& a) { return a[0]; }}},
        {"likely_if_innermost", {1, [](Type, const std::vector<Term>& a) { return a[0]; }}},
    };
    return all;
}

}  // namespace

std::optional<Term> intrinsic_term(const std::string& name, Halide::Type type, const std::vector<Term>& arguments) {
    const auto rule = rules().find(name);
    const auto result = scalar_type(type.element_of());
    if (rule == rules().end() || !result || rule->second.first != arguments.size()) { return std::nullopt; }
    // Annotations without a meaning, and choices, apply to any kind; all other intrinsics compute with values.
    static const std::set<std::string> of_any_kind{"strict_float", "unsafe_promise_clamped", "promise_clamped",
                                                   "likely", "likely_if_innermost"};
    if (name == "shift_left" || name == "shift_right") {
        if (auto shifted = index_shift(name == "shift_left", arguments)) { return shifted; }
    }
    if (of_any_kind.contains(name)) { return rule->second.second(*result, arguments); }
    std::vector<Term> values;
    for (const Term& a : arguments) { values.push_back(as_value(a)); }
    return rule->second.second(*result, values);
}

}  // namespace haruspex::halide
