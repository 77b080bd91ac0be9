#include "oracle/smt/abstract_floats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "oracle/smt/smtlib.h"

namespace haruspex::smt {
namespace {

using value::BinaryOp;
using value::is_float;
using value::Type;
using value::UnaryOp;
using value::Value;

constexpr std::uint64_t most_summands = 1 << 20;

// The bits that tell this many things apart.
int bits_for(std::uint64_t count) { return std::max(1, static_cast<int>(std::bit_width(count - 1))); }

bool is_sum(const Node& node, Type type) {
    if (!is_float(type)) { return false; }
    const auto* unary = std::get_if<Unary>(&node);
    if (unary != nullptr) { return unary->op == UnaryOp::negate; }
    const auto* binary = std::get_if<Binary>(&node);
    return binary != nullptr && (binary->op == BinaryOp::add || binary->op == BinaryOp::sub);
}

std::string word(Type type) { return std::string(value::name(type)); }

std::string bit_sort(int width) { return "(_ BitVec " + std::to_string(width) + ")"; }

}  // namespace

AbstractFloats::AbstractFloats(const Terms& terms, const Query& query, Sink sink)
    : sums_(query.sums), sink_(std::move(sink)) {
    std::map<Type, std::uint64_t> values;
    std::map<Term, std::uint64_t> summands;
    std::uint64_t sums = 0, longest = 1;
    bool has_casts = false;
    for (const Term t : reachable(terms, {query.specification, query.implementation})) {
        const Type type = terms.type(t);
        if (!is_float(type)) { continue; }
        ++values[type];
        const Node& node = terms[t];
        if (const auto* literal = std::get_if<Literal>(&node); literal != nullptr && literal->value.is_defined()) {
            const double v = std::abs(literal->value.as_double());
            if (v == 1) { ones_.emplace(type, v); }
        }
        const auto* cast = std::get_if<Cast>(&node);
        has_casts |= cast != nullptr && is_float(terms.type(cast->a)) && terms.type(cast->a) != type;
        if (!is_sum(node, type)) { continue; }
        ++sums;
        // What is subtracted is a summand of its own.
        std::uint64_t count = 1;
        const auto* binary = std::get_if<Binary>(&node);
        const auto of = [&](Term operand) { return summands.contains(operand) ? summands.at(operand) : 1; };
        if (binary != nullptr) { count = of(binary->a) + (binary->op == BinaryOp::add ? of(binary->b) : 1); }
        if (binary == nullptr) { count = 2; }
        if (count > most_summands && sums_ != Sums::ordered) { throw Inexpressible{"a sum of too many summands"}; }
        summands[t] = std::min(count, most_summands);
        longest = std::max(longest, summands[t]);
    }
    // Zero, infinity and NaN have a magnitude beside those of the numbers.
    constexpr std::uint64_t special = 3;
    // A value of f64 that is converted has the magnitudes of f32 below and above it.
    const std::uint64_t beside = has_casts ? 2 * values[Type::f64] : 0;
    bits32_ = bits_for(values[Type::f32] + beside + special);
    bits64_ = bits_for(values[Type::f64] + special);
    if (has_casts) {
        precision_bits_ = bits_for(values[Type::f64] + special);
        bits64_ = 1 + bits32_ + precision_bits_;
    }
    // The multisets are those of the sums, and single summands. For a random hash, the sums over two different ones of at
    // most `longest` elements are the same with probability 2^-(w - bit_width(longest)), so that for one of the hashes no
    // two are.
    const std::uint64_t multisets = 3 * sums + 1;
    const auto count_bits = static_cast<int>(std::bit_width(longest));
    hash_bits_ = sums_ == Sums::counted ? count_bits : count_bits + 2 * static_cast<int>(std::bit_width(multisets));
}

// --- Values --------------------------------------------------------------------------------------------------------

std::string AbstractFloats::sort(Type type) const { return bit_sort(1 + magnitude_bits(type)); }

std::string AbstractFloats::magnitude_of(Type type, std::uint64_t code) const {
    return "(_ bv" + std::to_string(code) + " " + std::to_string(magnitude_bits(type)) + ")";
}

std::string AbstractFloats::nan(Type type) const {
    return magnitude_of(type, (std::uint64_t{1} << magnitude_bits(type)) - 1);
}

std::string AbstractFloats::infinity(Type type) const {
    return magnitude_of(type, (std::uint64_t{1} << magnitude_bits(type)) - 2);
}

std::string AbstractFloats::value_of(Type, const std::string& sign, const std::string& magnitude) const {
    return sexpr("concat", sign, magnitude);
}

std::string AbstractFloats::sign(Type type, const std::string& a) const {
    const std::string top = std::to_string(magnitude_bits(type));
    return sexpr("(_ extract " + top + " " + top + ")", a);
}

std::string AbstractFloats::magnitude(Type type, const std::string& a) const {
    return sexpr("(_ extract " + std::to_string(magnitude_bits(type) - 1) + " 0)", a);
}

std::string AbstractFloats::is_nan(Type type, const std::string& a) const {
    return sexpr("=", a, not_a_number(type));  // there is one
}

std::string AbstractFloats::is_infinite(Type type, const std::string& a) const {
    return sexpr("=", magnitude(type, a), infinity(type));
}

std::string AbstractFloats::is_zero(Type type, const std::string& a) const {
    return sexpr("=", magnitude(type, a), magnitude_of(type, 0));
}

std::string AbstractFloats::is_negative(Type type, const std::string& a) const {
    return sexpr("=", sign(type, a), "#b1");
}

std::string AbstractFloats::flipped(Type type, const std::string& a) const {
    return if_then_else(is_nan(type, a), a, value_of(type, sexpr("bvnot", sign(type, a)), magnitude(type, a)));
}

std::string AbstractFloats::less(Type type, const std::string& a, const std::string& b) const {
    const std::string x = magnitude(type, a), y = magnitude(type, b);
    const std::string by_sign = if_then_else(is_negative(type, a),
                                             if_then_else(is_negative(type, b), sexpr("bvult", y, x),
                                                          negation(conjunction({is_zero(type, a), is_zero(type, b)}))),
                                             conjunction({negation(is_negative(type, b)), sexpr("bvult", x, y)}));
    return conjunction({negation(is_nan(type, a)), negation(is_nan(type, b)), by_sign});
}

std::string AbstractFloats::equal(Type type, const std::string& a, const std::string& b) const {
    return conjunction({negation(is_nan(type, a)), negation(is_nan(type, b)), same_number(type, a, b)});
}

std::string AbstractFloats::same_number(Type type, const std::string& a, const std::string& b) const {
    return disjunction({sexpr("=", a, b), conjunction({is_zero(type, a), is_zero(type, b)})});
}

std::string AbstractFloats::literal(const Value& v) {
    const Type type = v.type();
    const double number = v.as_double();
    if (std::isnan(number)) { return not_a_number(type); }
    const std::string sign = std::signbit(number) ? "#b1" : "#b0";
    if (std::isinf(number)) { return value_of(type, sign, infinity(type)); }
    if (number == 0) { return value_of(type, sign, magnitude_of(type, 0)); }
    const std::pair key(type, std::abs(number));
    const auto [at, is_new] = literals_.try_emplace(key, "m" + word(type) + "." + std::to_string(literals_.size()));
    if (is_new) { sink_.declare(at->second, "() " + bit_sort(magnitude_bits(type))); }
    return value_of(type, sign, at->second);
}

std::string AbstractFloats::one(Type type) {
    if (!ones_.contains({type, 1})) { return {}; }
    return magnitude(type, literal(value::cast(type, Value::f64(1))));
}

void AbstractFloats::end() {
    const std::string* before = nullptr;
    Type of = Type::boolean;
    for (const auto& [key, name] : literals_) {
        const Type type = key.first;
        const std::string lower = before == nullptr || of != type ? magnitude_of(type, 0) : *before;
        sink_.assert_that(sexpr("bvult", lower, name));
        sink_.assert_that(sexpr("bvult", name, infinity(type)));
        before = &name;
        of = type;
    }
}

void AbstractFloats::assume_is_value(Type type, const std::string& a) {
    sink_.assert_that(disjunction({negation(sexpr("=", magnitude(type, a), nan(type))), is_nan(type, a)}));
}

std::string AbstractFloats::named(const std::string& name, const std::string& sort, const std::string& text) {
    if (!text.starts_with("(")) { return text; }
    sink_.define(name, sort, text);
    return name;
}

// --- Operations ----------------------------------------------------------------------------------------------------

AbstractFloats::Operation AbstractFloats::unary(UnaryOp op, const Operand& a, const std::string& number) {
    switch (op) {
        case UnaryOp::negate: {
            // It is defined as that difference.
            const Operand zero{a.type, literal(value::cast(a.type, Value::f64(0))), {}};
            return binary(BinaryOp::sub, zero, a, number);
        }
        case UnaryOp::absolute:
            return {
                {if_then_else(is_nan(a.type, a.value), a.value, value_of(a.type, "#b0", magnitude(a.type, a.value)))},
                {}};
        default: break;
    }
    raise_internal_error(__FILE__, __LINE__, "an operator that floats do not have");
}

AbstractFloats::Operation AbstractFloats::binary(BinaryOp op, const Operand& a, const Operand& b,
                                                 const std::string& number) {
    const Type type = a.type;
    const auto computed = [](std::string value) { return Operation{{std::move(value)}, {}}; };
    const auto either_is_nan = [&] { return disjunction({is_nan(type, a.value), is_nan(type, b.value)}); };
    switch (op) {
        case BinaryOp::add: return sum(a, b, number);
        case BinaryOp::sub: {
            const std::string opposite = named("f" + number + ".o", sort(type), flipped(type, b.value));
            return sum(a, {type, opposite, {}}, number);
        }
        case BinaryOp::mul: return computed(product(type, a.value, b.value, number));
        case BinaryOp::div: return computed(quotient(type, a.value, b.value, number));
        case BinaryOp::mod: {
            const std::string name = "mod_" + word(type);
            sink_.declare(name, "(" + sort(type) + " " + sort(type) + ") " + sort(type));
            const std::string result = named("f" + number + ".m", sort(type), sexpr(name, a.value, b.value));
            assume_is_value(type, result);
            return computed(if_then_else(either_is_nan(), not_a_number(type), result));
        }
        case BinaryOp::min:
            return {{if_then_else(less(type, a.value, b.value), a.value, b.value), either_is_nan()}, {}};
        case BinaryOp::max:
            return {{if_then_else(less(type, b.value, a.value), a.value, b.value), either_is_nan()}, {}};
        case BinaryOp::eq: return computed(equal(type, a.value, b.value));
        case BinaryOp::ne: return computed(negation(equal(type, a.value, b.value)));
        case BinaryOp::lt: return computed(less(type, a.value, b.value));
        case BinaryOp::le: return computed(disjunction({less(type, a.value, b.value), equal(type, a.value, b.value)}));
        case BinaryOp::gt: return computed(less(type, b.value, a.value));
        case BinaryOp::ge: return computed(disjunction({less(type, b.value, a.value), equal(type, a.value, b.value)}));
        default: break;
    }
    raise_internal_error(__FILE__, __LINE__, "an operator that floats do not have");
}

AbstractFloats::Sum AbstractFloats::single(Type type, const std::string& a, const std::string& number) {
    const std::string zero = named("f" + number + ".z", "Bool", is_zero(type, a));
    const std::string negative = named("f" + number + ".s", "Bool", is_negative(type, a));
    const std::string infinite = named("f" + number + ".i", "Bool", is_infinite(type, a));
    Sum sum{.has_nan = is_nan(type, a),
            .has_infinity = conjunction({infinite, negation(negative)}),
            .has_minus_infinity = conjunction({infinite, negative}),
            .is_zero = zero,
            .is_minus_zero = conjunction({zero, negative}),
            .has_positive = negation(disjunction({zero, negative})),
            .has_negative = conjunction({negation(zero), negative}),
            .multiset = {},
            .summands = {a}};
    // In a sum of other summands a zero changes nothing.
    if (sums_ == Sums::hashed) {
        const std::string hash = "hash_" + word(type);
        sink_.declare(hash, "(" + sort(type) + ") " + bit_sort(hash_bits_));
        const std::string nothing = "(_ bv0 " + std::to_string(hash_bits_) + ")";
        sum.multiset = named("f" + number + ".h", bit_sort(hash_bits_), if_then_else(zero, nothing, sexpr(hash, a)));
    }
    return sum;
}

// In an order, the general case is a commutative function; otherwise one of the multiset of nonzero summands.
AbstractFloats::Operation AbstractFloats::sum(const Operand& a, const Operand& b, const std::string& number) {
    const Type type = a.type;
    const Sum x = a.sum ? *a.sum : single(type, a.value, number + "a");
    const Sum y = b.sum ? *b.sum : single(type, b.value, number + "b");
    const auto joined = [&](const char* what, const std::string& text) {
        return named("f" + number + "." + what, "Bool", text);
    };
    Sum both{.has_nan = joined("nan", disjunction({x.has_nan, y.has_nan})),
             .has_infinity = joined("inf", disjunction({x.has_infinity, y.has_infinity})),
             .has_minus_infinity = joined("ninf", disjunction({x.has_minus_infinity, y.has_minus_infinity})),
             .is_zero = joined("zero", conjunction({x.is_zero, y.is_zero})),
             .is_minus_zero = joined("nzero", conjunction({x.is_minus_zero, y.is_minus_zero})),
             .has_positive = joined("pos", disjunction({x.has_positive, y.has_positive})),
             .has_negative = joined("neg", disjunction({x.has_negative, y.has_negative})),
             .multiset = {},
             .summands = {}};
    const std::string value_sort = sort(type);
    std::string general;
    if (sums_ == Sums::ordered) {
        const std::string name = "add_" + word(type);
        sink_.declare(name, "(" + value_sort + " " + value_sort + ") " + value_sort);
        // Every commutative function is a conjunction of two, bit by bit.
        general =
            if_then_else(x.is_zero, b.value,
                         if_then_else(y.is_zero, a.value,
                                      sexpr("bvand", sexpr(name, a.value, b.value), sexpr(name, b.value, a.value))));
    } else if (sums_ == Sums::hashed) {
        const std::string name = "sum_" + word(type);
        sink_.declare(name, "(" + bit_sort(hash_bits_) + ") " + value_sort);
        both.multiset = named("f" + number + ".h", bit_sort(hash_bits_), sexpr("bvadd", x.multiset, y.multiset));
        general = sexpr(name, both.multiset);
        // The sum of a single summand.
        for (const auto& [part, one] : {std::pair(&a, &x), std::pair(&b, &y)}) {
            if (!part->sum) {
                sink_.assert_that(disjunction({one->is_zero, sexpr("=", sexpr(name, one->multiset), part->value)}));
            }
        }
    } else {
        const std::string counts = "(Array " + value_sort + " " + bit_sort(hash_bits_) + ")";
        const std::string none = "(_ bv0 " + std::to_string(hash_bits_) + ")",
                          one = "(_ bv1 " + std::to_string(hash_bits_) + ")";
        const std::string name = "sum_" + word(type);
        sink_.declare(name, "(" + counts + ") " + value_sort);
        both.summands = x.summands;
        both.summands.insert(both.summands.end(), y.summands.begin(), y.summands.end());
        const auto with = [&](const std::string& set, const std::string& v, const std::string& part) {
            const std::string more = sexpr("store", set, v, sexpr("bvadd", sexpr("select", set, v), one));
            return named("f" + number + ".m" + part, counts, if_then_else(is_zero(type, v), set, more));
        };
        const std::string empty = "((as const " + counts + ") " + none + ")";
        std::string set = a.sum ? x.multiset : with(named("f" + number + ".e", counts, empty), a.value, "a");
        std::size_t part = 0;
        for (const std::string& v : y.summands) { set = with(set, v, std::to_string(part++)); }
        both.multiset = set;
        general = sexpr(name, set);
        for (const std::string& v : {a.sum ? std::string() : a.value, b.sum ? std::string() : b.value}) {
            if (v.empty()) { continue; }
            const std::string alone = sexpr(name, sexpr("store", empty, v, one));
            sink_.assert_that(disjunction({is_zero(type, v), sexpr("=", alone, v)}));
        }
    }
    general = named("f" + number + ".g", value_sort, general);
    const std::string zero = magnitude_of(type, 0);
    const std::string is_general = conjunction({negation(both.has_nan), negation(both.has_infinity),
                                                negation(both.has_minus_infinity), negation(both.is_zero)});
    // Numbers of one sign do not cancel, and what cancels leaves 0.0.
    sink_.assert_that(disjunction(
        {negation(is_general),
         conjunction({negation(sexpr("=", magnitude(type, general), nan(type))),
                      disjunction({both.has_negative, conjunction({negation(is_negative(type, general)),
                                                                   negation(is_zero(type, general))})}),
                      disjunction({both.has_positive,
                                   conjunction({is_negative(type, general), negation(is_zero(type, general))})}),
                      negation(conjunction({is_zero(type, general), is_negative(type, general)}))})}));
    const std::string is_undecided =
        disjunction({both.has_nan, conjunction({both.has_infinity, both.has_minus_infinity})});
    Operation result;
    result.computed.value = if_then_else(
        is_undecided, not_a_number(type),
        if_then_else(
            both.has_infinity, value_of(type, "#b0", infinity(type)),
            if_then_else(both.has_minus_infinity, value_of(type, "#b1", infinity(type)),
                         if_then_else(both.is_zero,
                                      value_of(type, if_then_else(both.is_minus_zero, "#b1", "#b0"), zero), general))));
    if (sums_ != Sums::ordered) { result.sum = std::move(both); }
    return result;
}

std::string AbstractFloats::product(Type type, const std::string& a, const std::string& b, const std::string& number) {
    const std::string bits = bit_sort(magnitude_bits(type)), name = "mul_" + word(type);
    sink_.declare(name, "(" + bits + " " + bits + ") " + bits);
    const std::string x = magnitude(type, a), y = magnitude(type, b);
    const std::string general = named("f" + number + ".g", bits, sexpr("bvand", sexpr(name, x, y), sexpr(name, y, x)));
    const std::string infinite = disjunction({is_infinite(type, a), is_infinite(type, b)});
    const std::string zero = disjunction({is_zero(type, a), is_zero(type, b)});
    const std::string is_undecided = disjunction({is_nan(type, a), is_nan(type, b), conjunction({infinite, zero})});
    sink_.assert_that(disjunction({is_undecided, infinite, zero, negation(sexpr("=", general, nan(type)))}));
    std::string finite = general;
    if (const std::string unit = one(type); !unit.empty()) {
        finite = if_then_else(sexpr("=", x, unit), y, if_then_else(sexpr("=", y, unit), x, finite));
    }
    const std::string magnitude =
        if_then_else(infinite, infinity(type), if_then_else(zero, magnitude_of(type, 0), finite));
    return if_then_else(is_undecided, not_a_number(type),
                        value_of(type, sexpr("bvxor", sign(type, a), sign(type, b)), magnitude));
}

std::string AbstractFloats::quotient(Type type, const std::string& a, const std::string& b, const std::string& number) {
    const std::string bits = bit_sort(magnitude_bits(type)), name = "div_" + word(type);
    sink_.declare(name, "(" + bits + " " + bits + ") " + bits);
    const std::string x = magnitude(type, a), y = magnitude(type, b);
    const std::string general = named("f" + number + ".g", bits, sexpr(name, x, y));
    const std::string infinite = disjunction({is_infinite(type, a), is_zero(type, b)});
    const std::string zero = disjunction({is_zero(type, a), is_infinite(type, b)});
    // Exactly 0/0 and inf/inf are infinite and zero by this.
    const std::string is_undecided = disjunction({is_nan(type, a), is_nan(type, b), conjunction({infinite, zero})});
    sink_.assert_that(disjunction({is_undecided, infinite, zero, negation(sexpr("=", general, nan(type)))}));
    std::string finite = general;
    if (const std::string unit = one(type); !unit.empty()) { finite = if_then_else(sexpr("=", y, unit), x, finite); }
    const std::string magnitude =
        if_then_else(infinite, infinity(type), if_then_else(zero, magnitude_of(type, 0), finite));
    return if_then_else(is_undecided, not_a_number(type),
                        value_of(type, sexpr("bvxor", sign(type, a), sign(type, b)), magnitude));
}

// --- Conversions ---------------------------------------------------------------------------------------------------

std::string AbstractFloats::to_f64(const std::string& a) const {
    const std::string exact = sexpr(
        "concat", "#b0", sexpr("concat", magnitude(Type::f32, a), "(_ bv0 " + std::to_string(precision_bits_) + ")"));
    return if_then_else(
        is_nan(Type::f32, a), not_a_number(Type::f64),
        value_of(Type::f64, sign(Type::f32, a), if_then_else(is_infinite(Type::f32, a), infinity(Type::f64), exact)));
}

// Rounds down or up, by a function of the number.
std::string AbstractFloats::to_f32(const std::string& a, const std::string& number) {
    const std::string magnitude64 = magnitude(Type::f64, a);
    const auto part = [&](int high, int low) {
        return sexpr("(_ extract " + std::to_string(high) + " " + std::to_string(low) + ")", magnitude64);
    };
    const std::string limit = part(bits64_ - 1, bits64_ - 1);
    const std::string truncated = part(bits64_ - 2, precision_bits_);
    const std::string precision = part(precision_bits_ - 1, 0);
    sink_.declare("rounds_up", "(" + bit_sort(bits64_) + ") Bool");
    const std::string up = sexpr("bvadd", truncated, magnitude_of(Type::f32, 1));
    const std::string is_exact = sexpr("=", precision, "(_ bv0 " + std::to_string(precision_bits_) + ")");
    const std::string rounded =
        if_then_else(is_exact, truncated, if_then_else(sexpr("rounds_up", magnitude64), up, truncated));
    const std::string is_beyond =
        disjunction({sexpr("=", limit, "#b1"), sexpr("bvuge", truncated, infinity(Type::f32))});
    const std::string result =
        named("f" + number + ".c", bit_sort(bits32_), if_then_else(is_beyond, infinity(Type::f32), rounded));
    return if_then_else(is_nan(Type::f64, a), not_a_number(Type::f32), value_of(Type::f32, sign(Type::f64, a), result));
}

Computed AbstractFloats::cast(Type to, const Operand& a, const std::string& number) {
    if (to == Type::boolean) { return {negation(is_zero(a.type, a.value))}; }
    if (is_float(a.type) && is_float(to)) { return {to == Type::f64 ? to_f64(a.value) : to_f32(a.value, number)}; }
    if (a.type == Type::boolean) {
        return {
            if_then_else(a.value, literal(value::cast(to, Value::f64(1))), literal(value::cast(to, Value::f64(0))))};
    }
    const std::string name = "cast_" + word(a.type) + "_" + word(to);
    const std::string from = is_float(a.type) ? sort(a.type) : bit_sort(value::bits(a.type));
    if (!is_float(to)) {
        sink_.declare(name, "(" + from + ") " + bit_sort(value::bits(to)));
        sink_.declare(name + "_undef", "(" + from + ") Bool");
        return {sexpr(name, a.value), value::is_total_cast(a.type, to) ? "false" : sexpr(name + "_undef", a.value)};
    }
    sink_.declare(name, "(" + from + ") " + sort(to));
    const std::string result = named("f" + number + ".c", sort(to), sexpr(name, a.value));
    const std::string is_null = sexpr("=", a.value, "(_ bv0 " + std::to_string(value::bits(a.type)) + ")");
    const std::string negative =
        value::is_signed_integer(a.type) ? bit_extract(a.value, value::bits(a.type) - 1) : "false";
    sink_.assert_that(sexpr("bvult", magnitude(to, result), infinity(to)));
    sink_.assert_that(sexpr("=", is_zero(to, result), is_null));
    sink_.assert_that(sexpr("=", is_negative(to, result), negative));
    return {result};
}

std::string AbstractFloats::of_index(Type type, const std::string& index) {
    const std::string name = "embed_" + word(type);
    sink_.declare(name, "(Int) " + sort(type));
    const std::string result = sexpr(name, index);
    sink_.assert_that(sexpr("bvult", magnitude(type, result), infinity(type)));
    sink_.assert_that(sexpr("=", is_zero(type, result), sexpr("=", index, "0")));
    sink_.assert_that(sexpr("=", is_negative(type, result), sexpr("<", index, "0")));
    return result;
}

// --- Models --------------------------------------------------------------------------------------------------------

Value AbstractFloats::decoded(Type type, std::uint64_t bits, const std::map<double, std::uint64_t>& literals) const {
    const auto width = static_cast<unsigned>(magnitude_bits(type));
    const std::uint64_t nan = (std::uint64_t{1} << width) - 1, magnitude = bits & nan;
    const double sign = (bits >> width & 1U) == 0 ? 1 : -1;
    const auto made = [&](double number) { return value::cast(type, Value::f64(std::copysign(number, sign))); };
    if (magnitude == nan) { return value::cast(type, Value::f64(std::numeric_limits<double>::quiet_NaN())); }
    if (magnitude == nan - 1) { return made(std::numeric_limits<double>::infinity()); }
    if (magnitude == 0) { return made(0); }
    double low = 0, high = 0;
    std::uint64_t below = 0, above = 0;
    for (const auto& [number, code] : literals) {
        if (code == magnitude) { return made(number); }
        if (code < magnitude) { low = number, below = code; }
        if (code > magnitude && above == 0) { high = number, above = code; }
    }
    const auto steps = static_cast<double>(magnitude - below);
    return made(above == 0 ? low + steps : low + (high - low) * steps / static_cast<double>(above - below));
}

}  // namespace haruspex::smt
