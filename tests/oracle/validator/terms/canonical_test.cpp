#include "oracle/validator/terms/term.h"

#include <map>
#include <vector>

#include "generators/affine/context.h"
#include "generators/base/overload.h"
#include "tests/support/catch.h"

namespace haruspex::validator {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

using Leaves = std::map<std::string, Value>;

Term leaf(const std::string& name, Type type) { return make_cell(name, 0, type, {}); }

Value evaluate(const Term& t, const Leaves& leaves) {
    const auto part = [&](const Term& a) { return evaluate(a, leaves); };
    return std::visit(
        Overload{
            [&](const term::Literal& n) { return n.value; }, [&](const term::Cell& n) { return leaves.at(n.tensor); },
            [&](const term::Unary& n) { return value::apply(n.op, part(n.a)); },
            [&](const term::Binary& n) { return value::apply(n.op, part(n.a), part(n.b)); },
            [&](const term::Cast& n) { return value::cast(t->type, part(n.a)); },
            [&](const term::Select& n) { return value::select(part(n.condition), part(n.if_true), part(n.if_false)); },
            [&](const auto&) -> Value { raise_internal_error(__FILE__, __LINE__, "not made here"); }},
        t->what);
}

// All values of narrow types, the corners of wide ones, Undef and Uninit.
std::vector<Value> values(Type type) {
    std::vector<Value> all{Value::undef(type), Value::uninit(type)};
    const int bits = value::bits(type);
    if (bits <= 8) {
        for (std::uint64_t b = 0; b < std::uint64_t{1} << static_cast<unsigned>(bits); ++b) {
            all.push_back(Value::from_bits(type, b));
        }
        return all;
    }
    if (value::is_float(type)) {
        for (const double d : {0.0, -0.0, 1.0, -2.5, 255.0, 300.0, 1e30, -1e300}) {
            all.push_back(type == Type::f32 ? Value::f32(static_cast<float>(d)) : Value::f64(d));
        }
        all.push_back(*value::parse_literal(type == Type::f32 ? "nan_f32" : "nan_f64"));
        return all;
    }
    for (int n = 0; n < bits; ++n) {
        const std::uint64_t power = std::uint64_t{1} << static_cast<unsigned>(n);
        for (const std::uint64_t b : {power - 1, power, power + 1, ~power, 0 - power}) {
            all.push_back(Value::from_bits(type, b));
        }
    }
    return all;
}

std::vector<Value> defined(Type type) {
    std::vector<Value> all = values(type);
    all.erase(all.begin(), all.begin() + 2);
    return all;
}

bool same(const Value& a, const Value& b) {
    return a.state() == b.state() && (!a.is_defined() || value::same_result(a, b));
}

TEST_CASE("an operation by a literal is the same in its canonical form") {
    std::size_t changed = 0, wrong = 0;
    for (const Type type : value::all_types) {
        const Term x = leaf("x", type);
        for (const BinaryOp op : value::all_binary_ops) {
            if (!value::result_type(op, type, type)) { continue; }
            for (const Value& literal : defined(type)) {
                for (const bool is_right : {true, false}) {
                    const Term number = make_literal(literal);
                    const auto canonical = is_right ? canonical_binary(op, x, number) : canonical_binary(op, number, x);
                    if (!canonical) { continue; }
                    ++changed;
                    for (const Value& v : values(type)) {
                        const Value meant = is_right ? value::apply(op, v, literal) : value::apply(op, literal, v);
                        wrong += same(evaluate(*canonical, {{"x", v}}), meant) ? 0 : 1;
                    }
                }
            }
        }
    }
    CHECK(changed > 1'000);
    CHECK(wrong == 0);
}

TEST_CASE("limits of limits are the same in their canonical form") {
    constexpr BinaryOp min = BinaryOp::min, max = BinaryOp::max;
    const Type type = Type::i8;
    const Term x = leaf("x", type);
    const auto number = [&](std::int64_t n) { return make_literal(Value::integer(type, n)); };
    for (const BinaryOp first : {min, max}) {
        for (const BinaryOp second : {min, max}) {
            for (const BinaryOp third : {min, max}) {
                for (const std::int64_t a : {-128, -3, 0, 5, 127}) {
                    for (const std::int64_t b : {-4, -3, 0, 5, 6}) {
                        for (const std::int64_t c : {-60, -3, 4, 60}) {
                            const Term chain = make_binary(
                                third, make_binary(second, number(b), make_binary(first, x, number(a))), number(c));
                            for (const Value& v : values(type)) {
                                const auto limit = [&](BinaryOp op, const Value& w, std::int64_t n) {
                                    return value::apply(op, w, Value::integer(type, n));
                                };
                                REQUIRE(same(evaluate(chain, {{"x", v}}),
                                             limit(third, limit(second, limit(first, v, a), b), c)));
                            }
                        }
                    }
                }
            }
        }
    }
    const Term limited = make_binary(max, make_binary(min, x, number(60)), number(-60));
    CHECK(to_string(make_binary(max, make_binary(min, limited, number(1)), number(-1))) == "((x() min 1i8) max -1i8)");
    CHECK(to_string(make_binary(min, number(5), make_binary(max, number(-3), x))) == "((x() min 5i8) max -3i8)");
}

TEST_CASE("what is done with a choice of literals is the same in its canonical form") {
    std::size_t changed = 0, wrong = 0;
    const Term c = leaf("c", Type::boolean);
    for (const Type type : {Type::boolean, Type::u8, Type::i32, Type::f32}) {
        const std::vector<Value> all = defined(type);
        for (std::size_t k = 0; k + 2 < all.size(); k += 3) {
            const Term chosen = make_select(c, make_literal(all[k]), make_literal(all[k + 1]));
            const auto look = [&](const Term& t, auto operation) {
                const auto* as_is = as<term::Select>(t);
                changed += as_is == nullptr || as<term::Literal>(as_is->if_true) != nullptr ? 1 : 0;
                for (const Value& v : values(Type::boolean)) {
                    const Value meant = operation(value::select(v, all[k], all[k + 1]));
                    wrong += same(evaluate(t, {{"c", v}}), meant) ? 0 : 1;
                }
            };
            for (const BinaryOp op : value::all_binary_ops) {
                if (!value::result_type(op, type, type)) { continue; }
                const Term number = make_literal(all[k + 2]);
                look(make_binary(op, chosen, number), [&](const Value& v) { return value::apply(op, v, all[k + 2]); });
                look(make_binary(op, number, chosen), [&](const Value& v) { return value::apply(op, all[k + 2], v); });
            }
            for (const Type to : value::all_types) {
                look(make_cast(to, chosen), [&](const Value& v) { return value::cast(to, v); });
            }
            look(make_unary(UnaryOp::logical_not, make_binary(BinaryOp::eq, chosen, make_literal(all[k]))),
                 [&](const Value& v) {
                     return value::apply(UnaryOp::logical_not, value::apply(BinaryOp::eq, v, all[k]));
                 });
        }
    }
    CHECK(changed > 1'000);
    CHECK(wrong == 0);
}

TEST_CASE("a chain of casts is the same in its canonical form") {
    std::size_t changed = 0;
    for (const Type from : value::all_types) {
        for (const Type via : value::all_types) {
            for (const Type to : value::all_types) {
                const Term x = leaf("x", from);
                const Term chain = make_cast(to, make_cast(via, x));
                const auto* cast = as<term::Cast>(chain);
                changed += cast == nullptr || as<term::Cell>(cast->a) != nullptr ? 1 : 0;
                for (const Value& v : values(from)) {
                    INFO(value::name(from)
                         << " " << value::name(via) << " " << value::name(to) << " " << value::to_string(v));
                    REQUIRE(same(evaluate(chain, {{"x", v}}), value::cast(to, value::cast(via, v))));
                }
            }
        }
    }
    CHECK(changed > 400);
}

TEST_CASE("a cast of an operation is the same in its canonical form") {
    std::size_t changed = 0;
    const std::vector<Type> integers{Type::i8,  Type::u8,  Type::i16, Type::u16,
                                     Type::i32, Type::u32, Type::i64, Type::u64};
    for (const Type from : integers) {
        const std::vector<Value> all = values(from);
        std::vector<Value> few{all[0], all[1]};
        for (std::size_t k = 2; k < all.size(); k += all.size() / 16) { few.push_back(all[k]); }
        few.push_back(all.back());
        for (const Type via : integers) {
            for (const Type to : integers) {
                for (const BinaryOp op : {BinaryOp::add, BinaryOp::sub, BinaryOp::mul, BinaryOp::min, BinaryOp::max}) {
                    const Term x = leaf("x", from), y = leaf("y", from);
                    const Term cast = make_cast(to, make_binary(op, make_cast(via, x), make_cast(via, y)));
                    changed += as<term::Cast>(cast) == nullptr && to != via ? 1 : 0;
                    for (const Value& v : few) {
                        for (const Value& w : few) {
                            const Value meant =
                                value::cast(to, value::apply(op, value::cast(via, v), value::cast(via, w)));
                            REQUIRE(same(evaluate(cast, {{"x", v}, {"y", w}}), meant));
                        }
                    }
                }
            }
        }
    }
    CHECK(changed > 300);
}

TEST_CASE("comparisons, negations and choices are the same in their canonical forms") {
    for (const Type type : {Type::boolean, Type::i8, Type::f32}) {
        const Term x = leaf("x", type), y = leaf("y", type);
        for (const BinaryOp op : {BinaryOp::eq, BinaryOp::ne, BinaryOp::lt, BinaryOp::le, BinaryOp::gt, BinaryOp::ge}) {
            if (!value::result_type(op, type, type)) { continue; }
            const Term negated = make_unary(UnaryOp::logical_not, make_binary(op, x, y));
            const Term chosen = make_select(negated, x, y);
            for (const Value& v : values(type)) {
                for (const Value& w : values(type)) {
                    const Leaves leaves{{"x", v}, {"y", w}};
                    const Value meant = value::apply(UnaryOp::logical_not, value::apply(op, v, w));
                    REQUIRE(same(evaluate(negated, leaves), meant));
                    REQUIRE(same(evaluate(chosen, leaves), value::select(meant, v, w)));
                }
            }
        }
    }
}

TEST_CASE("what is written in two ways has one form") {
    const auto literal = [](Type type, std::int64_t n) { return make_literal(Value::integer(type, n)); };
    const Term i = leaf("i", Type::i32), u = leaf("u", Type::u8), b = leaf("b", Type::boolean);
    const auto binary = [](BinaryOp op, const Term& x, const Term& y) { return to_string(make_binary(op, x, y)); };
    CHECK(binary(BinaryOp::shift_right, i, literal(Type::i32, 3)) == "(i() / 8i32)");
    CHECK(binary(BinaryOp::shift_left, i, literal(Type::i32, 30)) == "(i() * 1073741824i32)");
    CHECK(binary(BinaryOp::shift_left, i, literal(Type::i32, 31)) == "(i() << 31i32)");
    CHECK(binary(BinaryOp::bit_and, literal(Type::u8, 127), u) == "(u() % 128u8)");
    CHECK(binary(BinaryOp::bit_and, u, literal(Type::u8, 6)) == "(u() & 6u8)");
    const Term byte = make_binary(BinaryOp::bit_and, make_cast(Type::u8, b), literal(Type::u8, 1));
    CHECK(binary(BinaryOp::ne, byte, literal(Type::u8, 0)) == "b()");
    CHECK(to_string(make_cast(Type::i8, make_cast(Type::i32, u))) == "i8(u())");
    CHECK(to_string(make_cast(Type::i32, make_cast(Type::u32, i))) == "i32(u32(i()))");
    const auto in = [](Type type, const Term& x) { return make_cast(type, x); };
    CHECK(to_string(in(Type::boolean, leaf("f", Type::f64))) == "(f() != 0.0f64)");
    const Term product = make_binary(BinaryOp::mul, in(Type::u16, u), in(Type::u16, u));
    CHECK(to_string(in(Type::u32, product)) == "(u32(u()) * u32(u()))");
    const Term doubled = make_binary(BinaryOp::mul, product, literal(Type::u16, 2));
    CHECK(to_string(in(Type::u32, doubled)) == "u32(((u16(u()) * u16(u())) * 2u16))");
    const Term difference = make_binary(BinaryOp::sub, in(Type::u16, u), in(Type::u16, u));
    CHECK(to_string(in(Type::u32, difference)) == "u32((u16(u()) - u16(u())))");
}

}  // namespace
}  // namespace haruspex::validator
