#include "generators/random/expressions.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/random/operations.h"
#include "generators/sare/build.h"
#include "generators/value/range.h"

namespace haruspex::random {
namespace {

using sare::Expr;
using sare::Index;
using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

bool may_negate(Type type) { return value::is_signed_integer(type) || value::is_float(type); }

// Whether the form makes sense at the type; other forms get no weight.
bool fits(NumericForm form, Type type) {
    switch (form) {
        case NumericForm::bit_and:
        case NumericForm::bit_or:
        case NumericForm::bit_xor:
        case NumericForm::bit_not:
        case NumericForm::shift_left:
        case NumericForm::shift_right:
        case NumericForm::mod: return value::is_integer(type);
        case NumericForm::negate: return may_negate(type);
        case NumericForm::absolute: return value::is_float(type) || value::is_unsigned_integer(type);
        case NumericForm::average:
        case NumericForm::absolute_difference: return value::is_integer(type);
        case NumericForm::saturating_sum: return value::is_integer(type) && value::bits(type) < 64;
        default: return true;
    }
}

BinaryOp operator_of(NumericForm form) {
    switch (form) {
        case NumericForm::add: return BinaryOp::add;
        case NumericForm::sub: return BinaryOp::sub;
        case NumericForm::mul: return BinaryOp::mul;
        case NumericForm::div: return BinaryOp::div;
        case NumericForm::mod: return BinaryOp::mod;
        case NumericForm::min: return BinaryOp::min;
        case NumericForm::max: return BinaryOp::max;
        case NumericForm::bit_and: return BinaryOp::bit_and;
        case NumericForm::bit_or: return BinaryOp::bit_or;
        case NumericForm::bit_xor: return BinaryOp::bit_xor;
        case NumericForm::shift_left: return BinaryOp::shift_left;
        default: return BinaryOp::shift_right;
    }
}

}  // namespace

std::vector<std::string> ExpressionBuilder::variables() const {
    std::vector<std::string> names = bound_;
    names.insert(names.end(), around_.recurrence.begin(), around_.recurrence.end());
    for (const std::string& name : around_.pure) {
        if (!name.empty()) { names.push_back(name); }
    }
    return names;
}

Type ExpressionBuilder::draw_type() { return value::all_types[choices_.weighted(policy_.types)]; }

Type ExpressionBuilder::numeric_type() {
    auto weights = policy_.types;
    weights[0] = 0;
    if (std::ranges::all_of(weights, [](int w) { return w == 0; })) {
        return *value::signed_integer(around_.types, 32);
    }
    return value::all_types[choices_.weighted(weights)];
}

Expr ExpressionBuilder::numeric_or_bool(Type type, int size) {
    return type == Type::boolean ? boolean(size) : numeric(type, size);
}

Expr ExpressionBuilder::literal(Type type) {
    if (type == Type::boolean) { return {sare::Literal{Value::boolean(choices_.boolean(policy_.true_per_mille))}}; }
    if (value::is_float(type)) {
        if (around_.strict_float && choices_.boolean(policy_.literal_near_end_per_mille)) {
            const double sign = choices_.boolean(policy_.low_end_per_mille) ? -1 : 1;
            return {sare::Literal{type == Type::f32
                                      ? Value::f32(static_cast<float>(sign) * std::numeric_limits<float>::max())
                                      : Value::f64(sign * std::numeric_limits<double>::max())}};
        }
        const std::int64_t halves = choices_.integer(-12, 12, 2);
        const double v = static_cast<double>(halves) / 2;
        return {sare::Literal{type == Type::f32 ? Value::f32(static_cast<float>(v)) : Value::f64(v)}};
    }
    if (choices_.boolean(policy_.literal_near_end_per_mille)) {
        const value::Range all = value::full_range(type);
        const bool is_low = value::is_signed_integer(type) && choices_.boolean(policy_.low_end_per_mille);
        const std::int64_t by = choices_.integer(0, 9, 0);
        return {
            sare::Literal{Value::from_bits(type, static_cast<std::uint64_t>(is_low ? all.low + by : all.high - by))}};
    }
    if (value::wraps(type) && choices_.boolean(policy_.corner_literal_per_mille)) {
        // Corner values, where wrapping types wrap.
        const std::uint64_t ones = ~std::uint64_t{0};
        const std::uint64_t top = std::uint64_t{1} << static_cast<unsigned>(value::bits(type) - 1);
        return {sare::Literal{Value::from_bits(type, choices_.one_of(std::array{ones, top, top - 1}))}};
    }
    const std::int64_t low = value::is_unsigned_integer(type) ? 0 : -9;
    return {sare::Literal{Value::integer(type, choices_.integer(low, 17, 1))}};
}

Index ExpressionBuilder::index(AccessKind kind, const std::string& name) {
    const Index v = sare::variable(name);
    const auto offset = [&] {
        const std::int64_t reach = choices_.boolean(policy_.wide_offset_per_mille) ? 9 : 2;
        return choices_.integer(-reach, reach, 0);
    };
    const auto shifted = [&] {
        const std::int64_t by = offset();
        return by < 0 ? v - sare::constant(-by) : v + sare::constant(by);
    };
    switch (kind) {
        case AccessKind::aligned:
        case AccessKind::transposed: return v;
        case AccessKind::stencil: return shifted();
        case AccessKind::diagonal: {
            const auto names = variables();
            const std::string& other = choices_.one_of(names);
            if (other == name) { return v; }
            const bool is_minus = choices_.boolean(policy_.antidiagonal_per_mille);
            return is_minus ? v - sare::variable(other) : v + sare::variable(other);
        }
        case AccessKind::reversed: {
            if (!around_.parameters.empty() && choices_.boolean(policy_.reversed_at_parameter_per_mille)) {
                return sare::variable(choices_.one_of(around_.parameters)) - sare::constant(1) - v;
            }
            return sare::constant(choices_.integer(0, 12, 0)) - v;
        }
        case AccessKind::strided: {
            const std::int64_t by = choices_.integer(-1, 2, 0), stride = choices_.integer(2, 3, 2);
            return stride * v + sare::constant(by);
        }
        case AccessKind::downsampled: {
            const std::int64_t factor = choices_.integer(2, 4, 2);
            return sare::floor_div(shifted(), factor);
        }
        case AccessKind::broadcast:
            if (!around_.parameters.empty() && choices_.boolean(policy_.broadcast_of_parameter_per_mille)) {
                return sare::variable(choices_.one_of(around_.parameters));
            }
            return sare::constant(choices_.integer(-2, 6, 0));
        case AccessKind::modulo: {
            const std::int64_t modulus = choices_.integer(2, 8, 4);
            return sare::floor_mod(shifted(), modulus);
        }
        case AccessKind::clamped: {
            const Index low = sare::constant(choices_.integer(-1, 2, 0));
            if (!around_.parameters.empty() && choices_.boolean(policy_.clamped_at_parameter_per_mille)) {
                const Index high = sare::variable(choices_.one_of(around_.parameters)) - sare::constant(1);
                return sare::max(sare::min(shifted(), high), low);
            }
            const Index high = sare::constant(choices_.integer(3, 20, 8));
            return sare::max(sare::min(shifted(), high), low);
        }
        case AccessKind::selected: {
            const sare::Condition c = sare::compare(sare::Relation::lt, v, sare::constant(choices_.integer(0, 12, 3)));
            return sare::select(c, v, shifted());
        }
    }
    raise_internal_error(__FILE__, __LINE__, "no such kind of access");
}

Index ExpressionBuilder::any_index() {
    const auto names = variables();
    if (names.empty()) {
        if (!around_.parameters.empty() && choices_.boolean(policy_.parameter_for_constant_per_mille)) {
            return sare::variable(choices_.one_of(around_.parameters));
        }
        return sare::constant(choices_.integer(-2, 6, 0));
    }
    Index first = sare::variable(choices_.one_of(names));
    if (choices_.boolean(policy_.second_variable_per_mille)) {
        const Index second = sare::variable(choices_.one_of(names));
        const bool is_minus = choices_.boolean(policy_.difference_per_mille);
        first = is_minus ? first - second : first + choices_.integer(1, 3, 1) * second;
    }
    if (choices_.boolean(policy_.remainder_per_mille)) { return sare::floor_mod(first, choices_.integer(2, 7, 2)); }
    if (choices_.boolean(policy_.shifted_index_per_mille)) {
        return first + sare::constant(choices_.integer(-4, 4, 0));
    }
    return first;
}

sare::Condition ExpressionBuilder::condition() {
    constexpr std::array relations{sare::Relation::lt, sare::Relation::le, sare::Relation::gt,
                                   sare::Relation::ge, sare::Relation::eq, sare::Relation::ne};
    const sare::Relation relation = choices_.one_of(relations);
    const Index a = any_index();
    Index b = sare::constant(choices_.integer(-1, 12, 3));
    if (choices_.boolean(policy_.compared_with_index_per_mille)) { b = any_index(); }
    sare::Condition result = sare::compare(relation, a, b);
    if (choices_.boolean(policy_.two_comparisons_per_mille)) {
        const Index right = sare::constant(choices_.integer(0, 9, 2));
        const Index left = any_index();
        const sare::Condition other = sare::compare(choices_.one_of(relations), left, right);
        result = choices_.boolean(policy_.conjunction_per_mille) ? (result && other) : (result || other);
    } else if (choices_.boolean(policy_.negated_condition_per_mille)) {
        result = !result;
    }
    return result;
}

Expr ExpressionBuilder::access(const Source& source, int component) {
    if (around_.self && source.name == around_.self->name) {
        return {sare::Access{source.name, choices_.one_of(around_.self_indices), component}};
    }
    const auto names = variables();
    std::vector<Index> indices;
    for (std::size_t d = 0; d < source.rank; ++d) {
        if (names.empty()) {
            indices.push_back(index(AccessKind::broadcast, ""));
            continue;
        }
        const auto kind = static_cast<AccessKind>(choices_.weighted(policy_.access));
        // Recurrence variables first: they must occur, and they are the point of an update.
        const std::size_t inner = bound_.size() + around_.recurrence.size();
        std::string name;
        if (inner > 0 && choices_.boolean(policy_.recurrence_index_per_mille)) {
            name = names[static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(inner) - 1, 0))];
        } else if (kind != AccessKind::transposed && d < around_.pure.size() && !around_.pure[d].empty()) {
            name = around_.pure[d];
        } else {
            name = choices_.one_of(names);
        }
        indices.push_back(index(kind, name));
    }
    return {sare::Access{source.name, std::move(indices), component}};
}

Expr ExpressionBuilder::leaf(Type type) {
    // Sources that have the type already are read more often than sources that need a cast.
    std::vector<std::pair<const Source*, int>> readable;
    std::vector<int> weights;
    const auto offer = [&](const Source& source, int factor) {
        for (std::size_t c = 0; c < source.types.size(); ++c) {
            readable.emplace_back(&source, static_cast<int>(c));
            weights.push_back(factor * (source.types[c] == type ? 4 : 1));
        }
    };
    for (const Source& source : around_.sources) { offer(source, 2); }
    // A reduction becomes a function of its own, which cannot read the function that is being defined.
    if (around_.self && bound_.empty()) { offer(*around_.self, 3); }
    if (readable.empty() || choices_.boolean(policy_.literal_leaf_per_mille)) { return literal(type); }
    const auto [source, component] = readable[choices_.weighted(weights)];
    const Type found = source->types[static_cast<std::size_t>(component)];
    Expr read = access(*source, component);
    return found == type ? read : Expr{sare::Cast{type, std::move(read)}};
}

Expr ExpressionBuilder::reduction(Type type, int size) {
    using value::ReductionOp;
    const std::string name = "r" + std::to_string(bound_.size());
    const std::int64_t low = choices_.integer(-1, 2, 0);
    const std::int64_t count = choices_.integer(1, 4, 2);
    const sare::Condition domain = sare::compare(sare::Relation::le, sare::constant(low), sare::variable(name)) &&
                                   sare::compare(sare::Relation::lt, sare::variable(name), sare::constant(low + count));
    bound_.push_back(name);
    Expr body = numeric_or_bool(type, size - 2);
    bound_.pop_back();
    const std::size_t op = choices_.weighted(policy_.reduction_op);
    constexpr std::array ops{ReductionOp::sum, ReductionOp::prod, ReductionOp::min, ReductionOp::max};
    return {sare::Reduce{ops[op], {name}, domain, std::move(body)}};
}

Expr ExpressionBuilder::numeric(Type type, int size) {
    if (size <= 0) { return leaf(type); }
    auto weights = policy_.numeric;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (!fits(static_cast<NumericForm>(i), type)) { weights[i] = 0; }
    }
    // The absolute value of a signed integer is unsigned.
    if (value::is_unsigned_integer(type) && !value::signed_integer(around_.types, value::bits(type))) {
        weights[static_cast<std::size_t>(NumericForm::absolute)] = 0;
    }
    // A reduction inside a reduction multiplies the work; one level tests as much.
    if (!bound_.empty()) { weights[static_cast<std::size_t>(NumericForm::reduce)] = 0; }
    const auto form = static_cast<NumericForm>(choices_.weighted(weights));
    const int left = static_cast<int>(choices_.integer(0, size - 1, (size - 1) / 2));
    switch (form) {
        case NumericForm::leaf: return leaf(type);
        case NumericForm::embed: return {sare::Embed{type, any_index()}};
        case NumericForm::reduce: return reduction(type, size);
        case NumericForm::negate: return unary(UnaryOp::negate, numeric(type, size - 1));
        case NumericForm::bit_not: return unary(UnaryOp::bit_not, numeric(type, size - 1));
        case NumericForm::absolute: {
            const Type operand =
                value::is_float(type) ? type : *value::signed_integer(around_.types, value::bits(type));
            return unary(UnaryOp::absolute, numeric(operand, size - 1));
        }
        case NumericForm::cast: {
            const Type from = choices_.boolean(policy_.cast_from_bool_per_mille) ? Type::boolean : numeric_type();
            return {sare::Cast{type, numeric_or_bool(from, size - 1)}};
        }
        case NumericForm::select:
            return {sare::Select{boolean(left / 2), numeric(type, left / 2), numeric(type, size - 1 - left)}};
        case NumericForm::shift_left:
        case NumericForm::shift_right: return shift(form, type, size);
        case NumericForm::average: return average(type, size);
        case NumericForm::absolute_difference: return absolute_difference(type, size);
        case NumericForm::saturating_sum: return saturating_sum(type, size);
        case NumericForm::invariant_select:
            return {sare::Select{invariant_condition(), numeric(type, left), numeric(type, size - 1 - left)}};
        case NumericForm::div:
            if (value::is_float(type)) {
                // Only powers of two divide exactly, and their reciprocals are exact: a compiler may multiply by these.
                const std::int64_t power = std::int64_t{1} << choices_.integer(0, 3, 1);
                return binary(BinaryOp::div, numeric(type, size - 1), Expr{sare::Literal{Value::integer(type, power)}});
            }
            [[fallthrough]];
        case NumericForm::mod:
            if (choices_.boolean(policy_.literal_divisor_per_mille)) {
                const std::int64_t low = value::is_unsigned_integer(type) ? 1 : -5;
                std::int64_t divisor = choices_.integer(low, 16, 2);
                if (divisor == 0) { divisor = 7; }
                return binary(operator_of(form), numeric(type, size - 1),
                              Expr{sare::Literal{Value::integer(type, divisor)}});
            }
            [[fallthrough]];
        default: {
            Expr second = numeric(type, size - 1 - left);
            return binary(operator_of(form), numeric(type, left), std::move(second));
        }
    }
}

Expr ExpressionBuilder::boolean(int size) {
    const auto form = size <= 0 && choices_.boolean(policy_.guard_leaf_per_mille)
                          ? BooleanForm::guard
                          : static_cast<BooleanForm>(choices_.weighted(policy_.boolean));
    const int left = std::max(size - 1, 0) / 2;
    const auto comparison = [&](BinaryOp op) {
        const bool may_be_of_bools = choices_.boolean(policy_.equality_of_bools_per_mille);
        const Type type =
            may_be_of_bools && (op == BinaryOp::eq || op == BinaryOp::ne) ? Type::boolean : numeric_type();
        Expr second = numeric_or_bool(type, std::max(size - 1 - left, 0));
        return binary(op, numeric_or_bool(type, left), std::move(second));
    };
    const auto connective = [&](BinaryOp op) {
        Expr second = boolean(left - 2);
        return binary(op, boolean(size - 2), std::move(second));
    };
    // Below its size, draw only forms that end at once.
    if (size < -2) { return {sare::Guard{condition()}}; }
    switch (form) {
        case BooleanForm::access: return leaf(Type::boolean);
        case BooleanForm::eq: return comparison(BinaryOp::eq);
        case BooleanForm::ne: return comparison(BinaryOp::ne);
        case BooleanForm::lt: return comparison(BinaryOp::lt);
        case BooleanForm::le: return comparison(BinaryOp::le);
        case BooleanForm::gt: return comparison(BinaryOp::gt);
        case BooleanForm::ge: return comparison(BinaryOp::ge);
        case BooleanForm::logical_and: return connective(BinaryOp::logical_and);
        case BooleanForm::logical_or: return connective(BinaryOp::logical_or);
        case BooleanForm::logical_not: return unary(UnaryOp::logical_not, boolean(size - 1));
        case BooleanForm::guard: return {sare::Guard{condition()}};
        case BooleanForm::cast: return {sare::Cast{Type::boolean, numeric(numeric_type(), size - 1)}};
        case BooleanForm::select: return {sare::Select{boolean(size - 2), boolean(left - 2), boolean(left - 2)}};
    }
    raise_internal_error(__FILE__, __LINE__, "no such form of a condition");
}

}  // namespace haruspex::random
