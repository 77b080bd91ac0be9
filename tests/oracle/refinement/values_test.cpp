#include "oracle/refinement/values.h"

#include <array>

#include "generators/base/choice.h"
#include "generators/value/range.h"
#include "tests/support/catch.h"

namespace haruspex::refinement {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

constexpr std::array types{Type::boolean, Type::u8,  Type::i8,  Type::u16, Type::i32, Type::u64,
                           Type::i64,     Type::f32, Type::f64, Type::w32, Type::w64};

// The same expressions, simplified and unsimplified.
class Twins {
public:
    explicit Twins(Choices& choices) : choices_(choices) {}

    struct Twin {
        Term simplified, plain;
    };

    Twin of(Type type, int depth) {
        const std::int64_t kind = depth == 0 ? choices_.integer(0, 4) : choices_.integer(0, 20);
        if (kind <= 2) { return leaf(type); }
        if (kind <= 4) { return literal(type); }
        if (kind == 5) {
            const Twin condition = of(Type::boolean, depth - 1), a = of(type, depth - 1), b = of(type, depth - 1);
            return {values.select(condition.simplified, a.simplified, b.simplified),
                    plain.select(condition.plain, a.plain, b.plain)};
        }
        if (kind <= 7) {
            const Twin a = of(types[index(types.size())], depth - 1);
            return {values.cast(type, a.simplified), plain.cast(type, a.plain)};
        }
        if (kind == 8) {
            const Twin a = of(type, depth - 1);
            const UnaryOp op = value::all_unary_ops[index(value::all_unary_ops.size())];
            if (value::result_type(op, type) != type) { return a; }
            return {values.apply(op, a.simplified), plain.apply(op, a.plain)};
        }
        if (kind == 16) { return limited_multiple(type, depth); }
        if (kind == 17 && type == Type::boolean) {
            const Twin condition = of(type, depth - 1);
            const bool yes = choices_.boolean(500);
            const Value a = Value::boolean(yes), b = Value::boolean(choices_.boolean(900) ? !yes : yes);
            return {values.select(condition.simplified, values.literal(a), values.literal(b)),
                    plain.select(condition.plain, plain.literal(a), plain.literal(b))};
        }
        if (kind == 18) {
            const Twin condition = of(Type::boolean, depth - 1), a = of(type, depth - 1);
            return {values.select(condition.simplified, a.simplified, a.simplified),
                    plain.select(condition.plain, a.plain, a.plain)};
        }
        if (kind == 19) {
            const Type from = types[index(types.size())];
            const Twin x = of(from, depth - 1), y = choices_.boolean(500) ? of(from, depth - 1) : literal(from);
            const bool is_number = choices_.boolean(800) && y.plain != x.plain;
            const BinaryOp order = choices_.boolean(500) ? BinaryOp::min : BinaryOp::max;
            const Twin other = is_number || type == Type::boolean ? literal(type) : cast_to(type, y);
            if (type == Type::boolean) { return cast_to(type, x); }
            const Twin one = cast_to(type, x);
            return {values.apply(order, one.simplified, other.simplified), plain.apply(order, one.plain, other.plain)};
        }
        if (kind == 20 && type != Type::boolean) {
            const Twin a = cast_to(type, of(types[index(types.size())], 0));
            const Twin b = cast_to(type, of(types[index(types.size())], 0)), n = literal(type);
            const Twin inner{values.apply(BinaryOp::mul, b.simplified, n.simplified),
                             plain.apply(BinaryOp::mul, b.plain, n.plain)};
            return {values.apply(BinaryOp::mul, a.simplified, inner.simplified),
                    plain.apply(BinaryOp::mul, a.plain, inner.plain)};
        }
        const BinaryOp op = value::all_binary_ops[index(value::all_binary_ops.size())];
        const Type operands = type == Type::boolean ? types[index(types.size())] : type;
        if (value::result_type(op, operands, operands) != type) { return of(type, depth - 1); }
        const Twin a = of(operands, depth - 1);
        const Twin b = choices_.boolean(150) ? a : choices_.boolean(500) ? literal(operands) : of(operands, depth - 1);
        return {values.apply(op, a.simplified, b.simplified), plain.apply(op, a.plain, b.plain)};
    }

    Values values{100'000};
    smt::Terms plain;

private:
    std::size_t index(std::size_t count) {
        return static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(count) - 1));
    }

    Twin cast_to(Type type, const Twin& x) { return {values.cast(type, x.simplified), plain.cast(type, x.plain)}; }

    // min(cast(x) * n, n * m), or a slightly different one.
    Twin limited_multiple(Type type, int depth) {
        const Twin x = of(types[index(types.size())], depth - 1);
        if (type == Type::boolean) { return cast_to(type, x); }
        const std::int64_t n = choices_.integer(-4, 4);
        const auto number = [&](std::int64_t i) { return value::cast(type, Value::integer(Type::i64, i)); };
        const Value factor = number(n), limit = number(n * choices_.integer(-9, 70) + (choices_.boolean(100) ? 1 : 0));
        const BinaryOp order = choices_.boolean(500) ? BinaryOp::min : BinaryOp::max;
        const auto made = [&](auto& terms, Term of) {
            const Term product = terms.apply(BinaryOp::mul, terms.cast(type, of), terms.literal(factor));
            return terms.apply(order, product, terms.literal(limit));
        };
        return {made(values, x.simplified), made(plain, x.plain)};
    }

    Twin leaf(Type type) {
        const std::int64_t which = choices_.integer(0, 1);
        return {values.input({std::string(value::name(type)), 0, {which}}, type),
                plain.atom(type, static_cast<std::uint32_t>(which))};
    }

    Twin literal(Type type) {
        constexpr std::array numbers{0, 1, 2, 3, 7, 8, 60, 15, -1, -2, -60, 100};
        const std::int64_t kind = choices_.integer(0, 30);
        const Value value = kind == 0   ? Value::uninit(type)
                            : kind == 1 ? Value::undef(type)
                                        : value::cast(type, Value::integer(Type::i64, numbers[index(numbers.size())]));
        return {values.literal(value), plain.literal(value)};
    }

    Choices& choices_;
};

TEST_CASE("simplified values are what they were, and what is known of them is so") {
    for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
        Choices choices(random_source(derive_seed(77, seed)));
        Twins twins(choices);
        const Type type = types[seed % types.size()];
        const Twins::Twin twin = twins.of(type, 4);
        std::map<std::pair<Type, std::int64_t>, Value> inputs;
        for (int round = 0; round < 8; ++round) {
            inputs.clear();
            const auto input = [&](Type of, std::int64_t which) {
                const auto found = inputs.find({of, which});
                if (found != inputs.end()) { return found->second; }
                const std::uint64_t corner = choices.boolean(400) ? std::uint64_t{1} << (value::bits(of) - 1) : 0;
                const auto near = static_cast<std::uint64_t>(choices.integer(-9, 9));
                if (value::is_float(of) && choices.boolean(600)) {
                    return inputs.emplace(std::pair(of, which), Value::integer(of, choices.integer(-3, 3)))
                        .first->second;
                }
                return inputs.emplace(std::pair(of, which), Value::from_bits(of, corner + near)).first->second;
            };
            const auto expected = smt::evaluate(twins.plain, twin.plain,
                                                {{}, {}, [&](const smt::Atom& a) { return input(a.type, a.number); }});
            const auto cell = [&](const smt::Atom& a) {
                return input(a.type, twins.values.cell_of(a).coordinates.at(0));
            };
            const auto value_of = [&](Term t) { return *smt::evaluate(twins.values.terms(), t, {{}, {}, cell}); };
            const Value actual = value_of(twin.simplified);
            const bool are_same = expected->is_defined() && actual.is_defined() ? value::same_result(*expected, actual)
                                                                                : *expected == actual;
            if (!are_same) {
                INFO(*smt::to_string(twins.plain, twin.plain));
                INFO(*smt::to_string(twins.values.terms(), twin.simplified));
                INFO(value::to_string(*expected) << " became " << value::to_string(actual));
                FAIL_CHECK();
                return;
            }
            if (actual.is_defined() && !value::is_float(type)) {
                const bool is_in_range = value::contains(*twins.values.range(twin.simplified), actual);
                if (!is_in_range) { FAIL_CHECK(*smt::to_string(twins.values.terms(), twin.simplified)); }
            }
            if (actual.is_undef() && twins.values.is_never_undef(twin.simplified)) {
                FAIL_CHECK("never undefined: " << *smt::to_string(twins.values.terms(), twin.simplified));
            }
            const auto* sum = std::get_if<smt::Binary>(&twins.values.terms()[twin.simplified]);
            if (sum != nullptr && sum->op == BinaryOp::add && twins.values.is_exact(twin.simplified)) {
                const Value a = value_of(sum->a), b = value_of(sum->b);
                if (!a.is_defined() || !b.is_defined()) { continue; }
                const value::Int128 exact = value::range_of(a).low + value::range_of(b).low;
                if (value::range_of(actual).low != exact) {
                    FAIL_CHECK("overflows: " << *smt::to_string(twins.values.terms(), twin.simplified));
                }
            }
        }
    }
}

class Simplified {
public:
    Term in(std::int64_t i, Type type) { return values.input({std::string(value::name(type)), 0, {i}}, type); }
    Term number(Type type, std::int64_t n) { return values.literal(value::cast(type, Value::integer(Type::i64, n))); }
    Term op(BinaryOp op, Term a, Term b) { return values.apply(op, a, b); }

    Values values{1'000'000};
};

TEST_CASE("what compilers write in several ways becomes one term") {
    Simplified v;
    for (const Type type : {Type::u8, Type::i16, Type::i32, Type::u64, Type::w32, Type::w64}) {
        INFO(value::name(type));
        const Term x = v.in(0, type);
        const auto n = [&](std::int64_t number) { return v.number(type, number); };
        CHECK(v.op(BinaryOp::shift_left, x, n(3)) == v.op(BinaryOp::mul, x, n(8)));
        CHECK(v.op(BinaryOp::shift_right, x, n(3)) == v.op(BinaryOp::div, x, n(8)));
        CHECK(v.op(BinaryOp::bit_and, n(7), x) == v.op(BinaryOp::mod, x, n(8)));
        CHECK(v.op(BinaryOp::add, x, x) == v.op(BinaryOp::mul, x, n(2)));
        CHECK(v.op(BinaryOp::sub, x, x) == n(0));
        CHECK(v.op(BinaryOp::sub, x, n(3)) == v.op(BinaryOp::add, x, v.op(BinaryOp::sub, n(0), n(3))));
        CHECK(v.op(BinaryOp::div, x, x) == v.values.select(v.op(BinaryOp::eq, x, n(0)), n(0), n(1)));
        CHECK(v.op(BinaryOp::min, v.op(BinaryOp::max, x, n(3)), n(60)) ==
              v.op(BinaryOp::max, v.op(BinaryOp::min, x, n(60)), n(3)));
        const Term limited = v.op(BinaryOp::max, v.op(BinaryOp::min, x, n(60)), n(3));
        CHECK(v.op(BinaryOp::max, v.op(BinaryOp::min, limited, n(9)), n(4)) ==
              v.op(BinaryOp::max, v.op(BinaryOp::min, x, n(9)), n(4)));
        CHECK(v.op(BinaryOp::min, limited, n(60)) == limited);
        CHECK(v.op(BinaryOp::mod, v.op(BinaryOp::mod, x, n(14)), n(15)) == v.op(BinaryOp::mod, x, n(14)));
        CHECK(v.op(BinaryOp::add, x, n(0)) == x);
        CHECK(v.op(BinaryOp::mul, v.op(BinaryOp::div, x, n(14)), n(14)) ==
              v.op(BinaryOp::sub, x, v.op(BinaryOp::mod, x, n(14))));
        CHECK(v.op(BinaryOp::mul, v.op(BinaryOp::div, x, n(14)), n(15)) !=
              v.op(BinaryOp::sub, x, v.op(BinaryOp::mod, x, n(14))));
    }
    const Term signed_quotient = v.op(BinaryOp::div, v.in(5, Type::i32), v.number(Type::i32, -14));
    CHECK(v.op(BinaryOp::mul, signed_quotient, v.number(Type::i32, -14)) !=
          v.op(BinaryOp::sub, v.in(5, Type::i32), v.op(BinaryOp::mod, v.in(5, Type::i32), v.number(Type::i32, -14))));
    // A cast of an integer through a float that can hold it.
    const auto through = [&](Type from, Type real, Type to) {
        return v.values.cast(to, v.values.cast(real, v.in(6, from)));
    };
    const auto direct = [&](Type from, Type to) { return v.values.cast(to, v.in(6, from)); };
    CHECK(through(Type::i16, Type::f32, Type::i64) == direct(Type::i16, Type::i64));
    CHECK(through(Type::i32, Type::f64, Type::i32) == direct(Type::i32, Type::i32));
    CHECK(through(Type::u8, Type::f32, Type::f64) == direct(Type::u8, Type::f64));
    CHECK(through(Type::i32, Type::f32, Type::i32) != direct(Type::i32, Type::i32));
    CHECK(through(Type::i64, Type::f64, Type::i64) != direct(Type::i64, Type::i64));
    CHECK(through(Type::i16, Type::f32, Type::u8) != direct(Type::i16, Type::u8));
    const Term byte = v.values.cast(Type::i32, v.in(0, Type::u8)), any = v.in(1, Type::i32);
    const auto n = [&](std::int64_t number) { return v.number(Type::i32, number); };
    CHECK(v.op(BinaryOp::min, v.op(BinaryOp::add, byte, n(7)), n(60)) ==
          v.op(BinaryOp::add, v.op(BinaryOp::min, byte, n(53)), n(7)));
    CHECK(v.values.cast(Type::i32, v.values.cast(Type::u8, v.op(BinaryOp::mod, any, n(4)))) ==
          v.op(BinaryOp::mod, any, n(4)));
    CHECK(v.values.apply(UnaryOp::absolute, byte) == v.values.cast(Type::u32, byte));
    CHECK(v.values.apply(UnaryOp::negate, any) == v.op(BinaryOp::sub, n(0), any));
    CHECK(v.op(BinaryOp::lt, byte, n(256)) == v.values.literal(Value::boolean(true)));
    const Term small = v.in(2, Type::u8), other = v.in(3, Type::u8), yes = v.in(0, Type::boolean);
    const auto wide = [&](Type type, Term t) { return v.values.cast(type, t); };
    CHECK(wide(Type::i32, v.op(BinaryOp::min, small, other)) ==
          v.op(BinaryOp::min, wide(Type::i32, small), wide(Type::i32, other)));
    CHECK(wide(Type::i32, v.op(BinaryOp::add, wide(Type::u32, small), wide(Type::u32, other))) ==
          v.op(BinaryOp::add, wide(Type::i32, small), wide(Type::i32, other)));
    CHECK(wide(Type::i32, v.op(BinaryOp::add, small, other)) !=
          v.op(BinaryOp::add, wide(Type::i32, small), wide(Type::i32, other)));
    CHECK(v.values.select(v.values.cast(Type::boolean, small), any, byte) ==
          v.values.select(v.op(BinaryOp::eq, small, v.number(Type::u8, 0)), byte, any));
    CHECK(v.values.select(v.values.apply(UnaryOp::logical_not, yes), any, byte) == v.values.select(yes, byte, any));
    const Term less = v.op(BinaryOp::lt, any, n(3)), truth = v.values.literal(Value::boolean(true)),
               untruth = v.values.literal(Value::boolean(false));
    CHECK(v.values.select(less, truth, untruth) == less);
    CHECK(v.values.select(less, untruth, truth) == v.op(BinaryOp::le, n(3), any));
    CHECK(v.values.select(less, byte, byte) == byte);
    CHECK(v.values.select(v.op(BinaryOp::le, n(3), any), any, byte) == v.values.select(less, byte, any));
    CHECK(v.op(BinaryOp::min, any, any) == any);
    CHECK(v.op(BinaryOp::bit_or, any, any) == any);
    CHECK(v.op(BinaryOp::logical_and, less, less) == less);
    CHECK(v.values.apply(UnaryOp::logical_not, v.op(BinaryOp::eq, any, byte)) == v.op(BinaryOp::ne, any, byte));
    CHECK(v.op(BinaryOp::max, v.op(BinaryOp::mul, byte, n(-3)), n(-60)) ==
          v.op(BinaryOp::mul, v.op(BinaryOp::min, byte, n(20)), n(-3)));
    CHECK(v.op(BinaryOp::max, v.op(BinaryOp::mul, byte, n(3)), n(60)) ==
          v.op(BinaryOp::mul, v.op(BinaryOp::max, byte, n(20)), n(3)));
    const Term other_byte = v.values.cast(Type::i32, v.in(4, Type::u8));
    CHECK(v.op(BinaryOp::mul, byte, v.op(BinaryOp::mul, other_byte, n(-3))) ==
          v.op(BinaryOp::mul, v.op(BinaryOp::mul, byte, other_byte), n(-3)));
    CHECK(v.op(BinaryOp::mul, any, v.op(BinaryOp::mul, other_byte, n(-3))) !=
          v.op(BinaryOp::mul, v.op(BinaryOp::mul, any, other_byte), n(-3)));
    const auto real_of = [&](Term t) { return v.values.cast(Type::f32, t); };
    const auto real_number = [&](float number) { return v.values.literal(Value::f32(number)); };
    CHECK(v.op(BinaryOp::max, real_of(small), real_of(other)) == real_of(v.op(BinaryOp::max, small, other)));
    CHECK(v.op(BinaryOp::max, real_of(small), real_number(9)) ==
          real_of(v.op(BinaryOp::max, small, v.number(Type::u8, 9))));
    CHECK(v.op(BinaryOp::max, real_of(any), real_number(-0.0F)) != real_of(v.op(BinaryOp::max, any, n(0))));
    CHECK(v.op(BinaryOp::max, real_of(any), real_number(0.5F)) != real_of(v.op(BinaryOp::max, any, n(0))));
    const Term some = v.in(0, Type::f32), half = v.op(BinaryOp::min, some, real_number(30));
    CHECK(v.op(BinaryOp::min, v.op(BinaryOp::add, some, some), real_number(60)) ==
          v.op(BinaryOp::mul, half, real_number(2)));
    CHECK(v.op(BinaryOp::min, v.op(BinaryOp::mul, some, real_number(3)), real_number(90)) !=
          v.op(BinaryOp::mul, half, real_number(3)));
    const Term real = v.in(0, Type::f32), four = v.number(Type::f32, 4), quarter = v.values.literal(Value::f32(0.25F));
    CHECK(v.op(BinaryOp::div, real, four) == v.op(BinaryOp::mul, real, quarter));
    CHECK(v.op(BinaryOp::div, real, v.number(Type::f32, 3)) !=
          v.op(BinaryOp::mul, real, v.values.literal(Value::f32(1.0F / 3))));
    // Numbers beyond 63 bits.
    const Term word = v.in(0, Type::u64), five = v.number(Type::u64, 5);
    const Term huge = v.values.literal(Value::from_bits(Type::u64, ~std::uint64_t{11}));
    CHECK(v.op(BinaryOp::min, v.op(BinaryOp::max, word, huge), five) !=
          v.op(BinaryOp::max, v.op(BinaryOp::min, word, five), huge));
    const Term multiple = v.op(BinaryOp::mul, v.values.cast(Type::u64, small), v.number(Type::u64, 4));
    CHECK(v.op(BinaryOp::min, multiple, huge) == multiple);
    CHECK(v.op(BinaryOp::max, real, real) != real);
    CHECK(v.values.apply(UnaryOp::logical_not, v.op(BinaryOp::lt, real, four)) != v.op(BinaryOp::le, four, real));
    CHECK(v.values.select(v.op(BinaryOp::le, four, real), any, byte) !=
          v.values.select(v.op(BinaryOp::lt, real, four), byte, any));
    const Term undefined = v.op(BinaryOp::lt, v.op(BinaryOp::add, any, n(1)), byte);
    CHECK(v.values.select(undefined, byte, byte) != byte);
    CHECK(v.op(BinaryOp::max, v.op(BinaryOp::mul, byte, n(3)), n(61)) !=
          v.op(BinaryOp::mul, v.op(BinaryOp::max, byte, n(20)), n(3)));
    CHECK(v.op(BinaryOp::max, v.op(BinaryOp::mul, any, n(3)), n(60)) !=
          v.op(BinaryOp::mul, v.op(BinaryOp::max, any, n(20)), n(3)));
    // An expression that may overflow is left as it is.
    CHECK(v.op(BinaryOp::min, v.op(BinaryOp::add, any, n(7)), n(60)) !=
          v.op(BinaryOp::add, v.op(BinaryOp::min, any, n(53)), n(7)));
    const Term one = v.number(Type::u8, 1);
    CHECK(v.op(BinaryOp::min, v.op(BinaryOp::add, small, one), one) != one);
    const Term may_overflow = v.op(BinaryOp::add, any, n(1));
    CHECK(v.op(BinaryOp::sub, may_overflow, may_overflow) != n(0));
}

TEST_CASE("casts of long chains and of widely shared values end") {
    Simplified v;
    Term chain = v.values.cast(Type::i32, v.in(0, Type::u8)), shared = v.in(0, Type::u8), before = v.in(1, Type::u8);
    for (int i = 1; i < 50'000; ++i) {
        chain = v.op(BinaryOp::add, chain, v.values.cast(Type::i32, v.in(i % 7, Type::u8)));
    }
    for (int i = 0; i < 200; ++i) {
        const Term next = v.op(i % 2 == 0 ? BinaryOp::min : BinaryOp::max, shared, before);
        before = shared;
        shared = next;
    }
    CHECK(v.values.type(v.values.cast(Type::i64, chain)) == Type::i64);
    CHECK(v.values.cast(Type::i64, chain) == v.values.cast(Type::i64, chain));
    CHECK(v.values.type(v.values.cast(Type::i32, shared)) == Type::i32);
}

}  // namespace
}  // namespace haruspex::refinement
