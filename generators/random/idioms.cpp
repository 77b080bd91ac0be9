#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "generators/random/expressions.h"
#include "generators/random/operations.h"
#include "generators/sare/build.h"
#include "generators/value/range.h"

// What ExpressionBuilder draws of idioms, shifts and conditions over data.
namespace haruspex::random {
namespace {

using sare::Expr;
using sare::Index;
using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

}  // namespace

// --- Idioms ----------------------------------------------------------------------------------------------------------

// The integer type of twice the width and the same sign, or else a signed one.
std::optional<Type> ExpressionBuilder::wider(Type type) const {
    const auto wide = value::signed_integer(around_.types, 2 * value::bits(type));
    if (!wide || !value::is_unsigned_integer(type)) { return wide; }
    const auto found = std::ranges::find(around_.types, value::to_unsigned(*wide));
    return found != around_.types.end() ? std::optional(*found) : wide;
}

Expr ExpressionBuilder::average(Type type, int size) {
    const auto wide = wider(type);
    const Type in = wide.value_or(type);
    const auto operand = [&](int of_size) {
        Expr e = numeric(type, of_size);
        return in == type ? e : Expr{sare::Cast{in, std::move(e)}};
    };
    const int left = (size - 1) / 2;
    Expr first = operand(left);
    Expr sum = binary(BinaryOp::add, std::move(first), operand(size - 1 - left));
    if (choices_.boolean(policy_.rounded_average_per_mille)) {
        sum = binary(BinaryOp::add, std::move(sum), Expr{sare::Literal{Value::integer(in, 1)}});
    }
    const bool shifts = choices_.boolean(policy_.shifted_average_per_mille);
    Expr half = binary(shifts ? BinaryOp::shift_right : BinaryOp::div, std::move(sum),
                       Expr{sare::Literal{Value::integer(in, shifts ? 1 : 2)}});
    return in == type ? half : Expr{sare::Cast{type, std::move(half)}};
}

Expr ExpressionBuilder::absolute_difference(Type type, int size) {
    const int left = (size - 1) / 2;
    // The absolute value of a difference is unsigned.
    if (value::is_unsigned_integer(type) && choices_.boolean(policy_.absolute_value_per_mille)) {
        // Of operands of this type, in a wider one; or of signed operands of the same width.
        const auto wide = value::signed_integer(around_.types, 2 * value::bits(type));
        const auto narrow = value::signed_integer(around_.types, value::bits(type));
        const bool widens = wide && (!narrow || choices_.boolean(policy_.wider_difference_per_mille));
        if (widens || narrow) {
            const auto operand = [&](int of_size) {
                return widens ? Expr{sare::Cast{*wide, numeric(type, of_size)}} : numeric(*narrow, of_size);
            };
            Expr first = operand(left);
            Expr distance = unary(UnaryOp::absolute, binary(BinaryOp::sub, std::move(first), operand(size - 1 - left)));
            return widens ? Expr{sare::Cast{type, std::move(distance)}} : distance;
        }
    }
    const Expr a = numeric(type, left), b = numeric(type, size - 1 - left);
    if (choices_.boolean(policy_.selected_difference_per_mille)) {
        return {sare::Select{binary(BinaryOp::lt, a, b), binary(BinaryOp::sub, b, a), binary(BinaryOp::sub, a, b)}};
    }
    return binary(BinaryOp::sub, binary(BinaryOp::max, a, b), binary(BinaryOp::min, a, b));
}

Expr ExpressionBuilder::saturating_sum(Type type, int size) {
    const auto wide = value::signed_integer(around_.types, 2 * value::bits(type));
    if (!wide) { return numeric(type, size - 1); }
    const bool subtracts = choices_.boolean(policy_.saturating_difference_per_mille);
    // A sum of unsigned integers needs no sign.
    const Type in = value::is_unsigned_integer(type) && !subtracts ? *wider(type) : *wide;
    const int left = (size - 1) / 2;
    Expr first{sare::Cast{in, numeric(type, left)}};
    Expr sum = binary(subtracts ? BinaryOp::sub : BinaryOp::add, std::move(first),
                      Expr{sare::Cast{in, numeric(type, size - 1 - left)}});
    const value::Range all = value::full_range(type);
    const auto end = [&](value::Int128 v) {
        return Expr{sare::Literal{Value::integer(in, static_cast<std::int64_t>(v))}};
    };
    const bool is_signed = value::is_signed_integer(type);
    if (is_signed || !subtracts) { sum = binary(BinaryOp::min, std::move(sum), end(all.high)); }
    if (is_signed || subtracts) { sum = binary(BinaryOp::max, std::move(sum), end(all.low)); }
    return {sare::Cast{type, std::move(sum)}};
}

Expr ExpressionBuilder::shift(NumericForm form, Type type, int size) {
    const int left = static_cast<int>(choices_.integer(0, size - 1, (size - 1) / 2));
    const bool either_way = value::is_signed_integer(type) && choices_.boolean(policy_.negative_shift_per_mille);
    const std::int64_t most = std::min(value::bits(type) - 1, 9);
    Expr amount{sare::Literal{
        Value::integer(type, either_way ? choices_.integer(-most, -1, -1) : choices_.integer(0, most, 1))}};
    if (choices_.boolean(policy_.computed_shift_per_mille)) {
        const std::int64_t ones = choices_.one_of(std::array{1, 3, 7});
        amount =
            binary(BinaryOp::bit_and, numeric(type, size - 1 - left), Expr{sare::Literal{Value::integer(type, ones)}});
        if (either_way) {
            amount = binary(BinaryOp::sub, std::move(amount),
                            Expr{sare::Literal{Value::integer(type, choices_.integer(1, ones, (ones + 1) / 2))}});
        }
    }
    return binary(form == NumericForm::shift_left ? BinaryOp::shift_left : BinaryOp::shift_right, numeric(type, left),
                  std::move(amount));
}

// --- Conditions ------------------------------------------------------------------------------------------------------

Expr ExpressionBuilder::invariant_condition() {
    constexpr std::array relations{sare::Relation::lt, sare::Relation::ge, sare::Relation::eq, sare::Relation::ne};
    if (around_.sources.empty() ||
        (!around_.parameters.empty() && !choices_.boolean(policy_.invariant_data_per_mille))) {
        const sare::Relation relation = choices_.one_of(relations);
        const Index a =
            around_.parameters.empty() ? sare::constant(0) : sare::variable(choices_.one_of(around_.parameters));
        return {sare::Guard{sare::compare(relation, a, sare::constant(choices_.integer(1, 20, 8)))}};
    }
    const Source& source = choices_.one_of(around_.sources);
    std::vector<Index> indices;
    for (std::size_t d = 0; d < source.rank; ++d) { indices.push_back(index(AccessKind::broadcast, "")); }
    Expr read{sare::Access{source.name, std::move(indices), 0}};
    if (source.types[0] == Type::boolean) { return read; }
    constexpr std::array ops{BinaryOp::lt, BinaryOp::ge, BinaryOp::eq, BinaryOp::gt};
    const BinaryOp op = choices_.one_of(ops);
    return binary(op, std::move(read), literal(source.types[0]));
}

Expr ExpressionBuilder::data_condition() {
    if (around_.sources.empty()) { return boolean(1); }
    const Source& source = choices_.one_of(around_.sources);
    Expr read = access(source, 0);
    if (source.types[0] == Type::boolean) { return read; }
    constexpr std::array ops{BinaryOp::lt, BinaryOp::ge, BinaryOp::ne, BinaryOp::gt};
    const BinaryOp op = choices_.one_of(ops);
    return binary(op, std::move(read), leaf(source.types[0]));
}

}  // namespace haruspex::random
