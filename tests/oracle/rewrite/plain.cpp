#include "tests/oracle/rewrite/plain.h"

#include <algorithm>
#include <limits>

#include "generators/base/overload.h"
#include "tests/support/catch.h"

namespace haruspex::rewrite {
namespace {

std::vector<Value> corners(Type type) {
    if (type == Type::boolean) { return {Value::boolean(false), Value::boolean(true)}; }
    std::vector<Value> result;
    if (value::is_float(type)) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        const double most = type == Type::f32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
        const double least =
            type == Type::f32 ? std::numeric_limits<float>::denorm_min() : std::numeric_limits<double>::denorm_min();
        for (const double d : {0.0,   -0.0,       1.0,   -1.0,     0.5,
                               2.0,   -2.5,       3.0,   30.0,     60.0,
                               255.0, 16777217.0, 1e30,  infinity, -infinity,
                               most,  -most,      least, -least,   std::numeric_limits<double>::quiet_NaN()}) {
            result.push_back(value::cast(type, Value::f64(d)));
        }
        return result;
    }
    const std::uint64_t high = std::uint64_t{1} << static_cast<unsigned>(value::bits(type) - 1);
    const std::uint64_t middle = std::uint64_t{1} << static_cast<unsigned>(value::bits(type) / 2);
    for (const std::uint64_t b :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{7}, std::uint64_t{8},
          std::uint64_t{60}, ~std::uint64_t{0}, ~std::uint64_t{1}, ~std::uint64_t{6}, high, high + 1, high - 1,
          high - 2, middle, middle + 1}) {
        result.push_back(Value::from_bits(type, b));
    }
    return result;
}

bool is_same(const Value& a, const Value& b) {
    return a.state() == b.state() && (!a.is_defined() || value::same_result(a, b));
}

}  // namespace

const Value* Plain::literal_of(Term t) const {
    const auto* literal = std::get_if<smt::Literal>(&terms_[t]);
    return literal == nullptr ? nullptr : &literal->value;
}

std::optional<value::Range> Plain::result_range(Term t) const {
    using Maybe = std::optional<value::Range>;
    if (value::is_float(type(t))) { return std::nullopt; }
    return std::visit(
        Overload{[](const smt::Literal& n) { return n.value.is_defined() ? Maybe(value::range_of(n.value)) : Maybe(); },
                 [&](const smt::Unary& n) {
                     const auto a = range(n.a);
                     return a ? value::apply(n.op, *a) : Maybe();
                 },
                 [&](const smt::Binary& n) {
                     const auto a = range(n.a), b = range(n.b);
                     return a && b ? value::apply(n.op, *a, *b) : Maybe();
                 },
                 [&](const smt::Cast& n) {
                     const auto a = range(n.a);
                     return a ? value::cast(n.to, *a) : Maybe();
                 },
                 [](const auto&) { return Maybe(); }},
        terms_[t]);
}

std::optional<value::Range> Plain::range(Term t) const {
    if (value::is_float(type(t))) { return std::nullopt; }
    const auto result = result_range(t);
    return result ? result : value::full_range(type(t));
}

bool Plain::is_exact(Term t) const {
    const auto result = result_range(t);
    return result && (value::overflow_is_undefined(result->type) || *result != value::full_range(result->type));
}

bool Plain::is_never_undef(Term t) const {
    if (const auto* atom = std::get_if<smt::Atom>(&terms_[t])) { return atom->number >= first_defined; }
    if (const Value* literal = literal_of(t)) { return !literal->is_undef(); }
    const bool is_total = std::visit(Overload{[&](const smt::Unary& n) { return value::is_total(n.op, type(n.a)); },
                                              [&](const smt::Binary& n) { return value::is_total(n.op, type(n.a)); },
                                              [&](const smt::Cast& n) { return value::is_total_cast(type(n.a), n.to); },
                                              [](const auto&) { return true; }},
                                     terms_[t]);
    return (is_total || result_range(t)) &&
           std::ranges::all_of(smt::operands(terms_[t]), [&](Term operand) { return is_never_undef(operand); });
}

bool Plain::mentions_uninit(Term t) const {
    if (const auto* atom = std::get_if<smt::Atom>(&terms_[t])) { return atom->number < first_defined; }
    if (const Value* literal = literal_of(t)) { return literal->is_uninit(); }
    return std::ranges::any_of(smt::operands(terms_[t]), [&](Term operand) { return mentions_uninit(operand); });
}

std::vector<Value> Plain::values(const smt::Atom& leaf, bool is_only) const {
    std::vector<Value> result = corners(leaf.type);
    if (is_only && value::bits(leaf.type) == 8) {
        result.clear();
        for (std::uint64_t b = 0; b < 256; ++b) { result.push_back(Value::from_bits(leaf.type, b)); }
    }
    if (leaf.number < first_defined) {
        result.push_back(Value::undef(leaf.type));
        result.push_back(Value::uninit(leaf.type));
    }
    return result;
}

std::string Plain::difference(Term a, Term b, std::size_t most) const {
    std::vector<smt::Atom> leaves;
    for (const Term t : smt::reachable(terms_, {a, b})) {
        if (const auto* atom = std::get_if<smt::Atom>(&terms_[t])) { leaves.push_back(*atom); }
    }
    std::vector<std::vector<Value>> all;
    std::size_t combinations = 1;
    for (const smt::Atom& leaf : leaves) {
        all.push_back(values(leaf, leaves.size() == 1));
        combinations *= all.back().size();
    }
    std::size_t combination = 0;
    const auto value_of = [&](const smt::Atom& atom) -> Value {
        std::size_t rest = combination;
        for (std::size_t i = 0;; ++i) {
            if (leaves[i] == atom) { return all[i][rest % all[i].size()]; }
            rest /= all[i].size();
        }
    };
    for (; combination < combinations; combination += combinations / most + 1) {
        const smt::Interpretation interpretation{{}, {}, value_of};
        const Value x = *smt::evaluate(terms_, a, interpretation), y = *smt::evaluate(terms_, b, interpretation);
        if (is_same(x, y)) { continue; }
        std::string result =
            text(a) + " is " + value::to_string(x) + ", " + text(b) + " is " + value::to_string(y) + ":";
        for (const smt::Atom& leaf : leaves) { result += " " + value::to_string(value_of(leaf)); }
        return result;
    }
    return "";
}

void Plain::compare(Term before, std::optional<Term> result, Term after) {
    INFO(text(before));
    REQUIRE(result);
    CHECK(text(*result) == text(after));
    CHECK(difference(before, *result) == "");
}

void Plain::becomes(UnaryRule<Plain> rule, UnaryOp op, Term a, Term after) {
    compare(apply(op, a), rule(*this, op, a), after);
}

void Plain::becomes(BinaryRule<Plain> rule, BinaryOp op, Term a, Term b, Term after) {
    compare(apply(op, a, b), rule(*this, op, a, b), after);
}

void Plain::becomes(CastRule<Plain> rule, Type to, Term a, Term after) {
    compare(cast(to, a), rule(*this, to, a), after);
}

void Plain::becomes(SelectRule<Plain> rule, Term condition, Term if_true, Term if_false, Term after) {
    compare(select(condition, if_true, if_false), rule(*this, condition, if_true, if_false), after);
}

void Plain::stays(UnaryRule<Plain> rule, UnaryOp op, Term a) {
    INFO(text(apply(op, a)));
    CHECK_FALSE(rule(*this, op, a));
}

void Plain::stays(BinaryRule<Plain> rule, BinaryOp op, Term a, Term b) {
    INFO(text(apply(op, a, b)));
    CHECK_FALSE(rule(*this, op, a, b));
}

void Plain::stays(CastRule<Plain> rule, Type to, Term a) {
    INFO(text(cast(to, a)));
    CHECK_FALSE(rule(*this, to, a));
}

void Plain::stays(SelectRule<Plain> rule, Term condition, Term if_true, Term if_false) {
    INFO(text(select(condition, if_true, if_false)));
    CHECK_FALSE(rule(*this, condition, if_true, if_false));
}

}  // namespace haruspex::rewrite
