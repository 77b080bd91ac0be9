#include "oracle/heap/template.h"

#include "generators/base/ensure.h"
#include "tests/oracle/heap/support.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::testing;
using heap::Template;
using heap::Templates;
using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

TEST_CASE("equal templates are one, however often they are built") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        // Built twice, with other templates in between: the trees and the ids are the same.
        Templates templates;
        std::map<std::string, Template> by_text;
        std::vector<Template> made;
        const auto build = [&](std::uint64_t from) {
            Choices choices(random_source(from));
            std::vector<Template> pool;
            for (int i = 0; i < 30; ++i) {
                const auto any = [&] { return pool.empty() ? templates.embed(Type::i32) : choices.one_of(pool); };
                const Template x = any(), y = any();
                switch (choices.integer(0, 6)) {
                    case 0: pool.push_back(templates.cell("AB", 0, Type::i32, 2)); break;
                    case 1: pool.push_back(templates.literal(Value::integer(Type::i32, choices.integer(-1, 1)))); break;
                    case 2: pool.push_back(templates.apply(BinaryOp::add, x, y)); break;
                    case 3: pool.push_back(templates.apply(BinaryOp::min, x, y)); break;
                    case 4: pool.push_back(templates.apply(UnaryOp::negate, x)); break;
                    case 5: pool.push_back(templates.select(templates.apply(BinaryOp::lt, x, y), x, y)); break;
                    default: pool.push_back(templates.cell("A", static_cast<int>(choices.integer(0, 1)), Type::i32, 1));
                }
            }
            return pool;
        };
        const std::vector<Template> first = build(seed);
        (void)build(seed + 1000);
        REQUIRE(build(seed) == first);
        for (const Template t : first) {
            // Different templates have different texts, so equal texts mean equal templates.
            const std::vector<std::string> holes(templates.holes(t), "_");
            const auto [entry, is_new] = by_text.emplace(templates.to_string(t, holes), t);
            REQUIRE(entry->second == t);
        }
    }
}

TEST_CASE("templates of different types, components, names and ranks are different") {
    Templates t;
    const std::vector<Template> all{t.cell("A", 0, Type::i32, 1),
                                    t.cell("A", 1, Type::i32, 1),
                                    t.cell("A", 0, Type::u32, 1),
                                    t.cell("A", 0, Type::i32, 2),
                                    t.cell("B", 0, Type::i32, 1),
                                    t.embed(Type::i32),
                                    t.embed(Type::i64),
                                    t.uninit(Type::i32),
                                    t.uninit(Type::u8),
                                    t.unknown(Type::i32),
                                    t.literal(Value::f32(0.0f)),
                                    t.literal(Value::f32(-0.0f)),
                                    t.literal(Value::undef(Type::f32)),
                                    t.literal(Value::f64(0.0)),
                                    t.literal(Value::undef(Type::i32)),
                                    t.cast(Type::u8, t.embed(Type::i32)),
                                    t.cast(Type::i8, t.embed(Type::i32))};
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < all.size(); ++j) { CHECK((all[i] == all[j]) == (i == j)); }
    }
}

TEST_CASE("holes are those of the operands, one after the other") {
    Templates t;
    const Template a = t.cell("A", 0, Type::i32, 2), index = t.embed(Type::i32);
    const Template literal = t.literal(Value::integer(Type::i32, 7));
    CHECK(t.holes(a) == 2);
    CHECK(t.holes(index) == 1);
    CHECK(t.holes(literal) == 0);
    CHECK(t.holes(t.uninit(Type::i32)) == 0);
    const Template sum = t.apply(BinaryOp::add, a, index);
    CHECK(t.holes(sum) == 3);
    CHECK(t.operands(sum) == std::vector<Template>{a, index});
    const Template condition = t.apply(BinaryOp::lt, index, literal);
    const Template choice = t.select(condition, sum, a);
    CHECK(t.holes(choice) == 6);
    CHECK(t.operands(choice) == std::vector<Template>{condition, sum, a});
    CHECK(t.operands(t.cast(Type::u8, sum)) == std::vector<Template>{sum});
    CHECK(t.operands(t.apply(UnaryOp::negate, sum)) == std::vector<Template>{sum});
    CHECK(t.operands(a).empty());
    CHECK(t.type(condition) == Type::boolean);
    CHECK(t.type(choice) == Type::i32);
    CHECK(t.to_string(choice, {"p", "q", "r", "s", "t", "u"}) == "select(i32<p> < 7i32, A(q, r) + i32<s>, A(t, u))");
    CHECK_THROWS_AS(t.to_string(choice, {"p"}), InternalError);
}

TEST_CASE("operators are folded over literals to defined values that are not rounded, and over nothing else") {
    for (const Type type : {Type::i32, Type::u8, Type::f32}) {
        for (const BinaryOp op : value::all_binary_ops) {
            const auto type_of_result = value::result_type(op, type, type);
            if (!type_of_result) { continue; }
            Templates t;
            const Template cell = t.cell("A", 0, type, 1);
            const std::vector<Value> values{Value::integer(type, 0), Value::integer(type, 1), Value::integer(type, 3),
                                            Value::undef(type)};
            for (const Value& x : values) {
                for (const Value& y : values) {
                    const Template folded = t.apply(op, t.literal(x), t.literal(y));
                    // 1/3 rounds, and 1/0 is not a number.
                    const bool is_inexact =
                        type == Type::f32 && x.is_defined() && y.is_defined() &&
                        ((op == BinaryOp::div && (y == values[0] || (x == values[1] && y == values[2]))) ||
                         (op == BinaryOp::mod && y == values[0]));
                    const Value result = value::apply(op, x, y);
                    REQUIRE((folded == t.literal(result)) == (!is_inexact && result.is_defined()));
                    REQUIRE(t.type(folded) == *type_of_result);
                }
                // x + 0, x - x and undef + x are left as they are.
                const Template open = t.apply(op, cell, t.literal(x));
                REQUIRE(std::holds_alternative<heap::Binary>(t[open].what));
                REQUIRE(std::holds_alternative<heap::Binary>(t[t.apply(op, cell, cell)].what));
                REQUIRE(t.apply(op, t.literal(x), cell) != open);
            }
        }
    }
    Templates t;
    const auto number = [&](std::int64_t n) { return t.literal(Value::integer(Type::i32, n)); };
    const Template yes = t.literal(Value::boolean(true)), cell = t.cell("A", 0, Type::i32, 0);
    CHECK(t.apply(UnaryOp::negate, number(5)) == number(-5));
    CHECK(t.cast(Type::u8, number(-1)) == t.literal(Value::integer(Type::u8, 255)));
    CHECK(t.cast(Type::f32, number(1 << 24)) == t.literal(Value::integer(Type::f32, 1 << 24)));
    CHECK(std::holds_alternative<heap::Cast>(t[t.cast(Type::f32, number((1 << 24) + 1))].what));
    CHECK(t.select(yes, number(1), number(2)) == number(1));
    // The arm that is not chosen may be undefined, and then the whole value is: a template is left as it was written.
    CHECK(std::holds_alternative<heap::Select>(t[t.select(yes, number(1), cell)].what));
    CHECK(std::holds_alternative<heap::Cast>(t[t.cast(Type::i32, cell)].what));
}

TEST_CASE("what does not fit is an error of ours") {
    Templates t;
    const Template i = t.embed(Type::i32), u = t.embed(Type::u8), b = t.literal(Value::boolean(true));
    CHECK_THROWS_AS(t.literal(Value::uninit(Type::i32)), InternalError);
    CHECK_THROWS_AS(t.apply(BinaryOp::add, i, u), InternalError);
    CHECK_THROWS_AS(t.apply(UnaryOp::logical_not, i), InternalError);
    CHECK_THROWS_AS(t.select(i, u, u), InternalError);
    CHECK_THROWS_AS(t.select(b, i, u), InternalError);
}

TEST_CASE("mentions of Uninit and Unknown are inherited") {
    Templates t;
    const Template a = t.cell("A", 0, Type::i32, 1), uninit = t.uninit(Type::i32), unknown = t.unknown(Type::i32);
    CHECK(!t.mentions_uninit(a));
    CHECK(!t.mentions_unknown(a));
    const Template sum = t.apply(BinaryOp::add, a, uninit), other = t.apply(BinaryOp::mul, unknown, a);
    CHECK(t.mentions_uninit(sum));
    CHECK(!t.mentions_unknown(sum));
    CHECK(t.mentions_unknown(other));
    CHECK(!t.mentions_uninit(other));
    const Template both = t.cast(Type::u8, t.apply(BinaryOp::max, sum, other));
    CHECK(t.mentions_uninit(both));
    CHECK(t.mentions_unknown(both));

    const affine::Context context;
    const auto of = [&](Template e) {
        return heap::Heap(context.ctx(), "{ b[] -> " + Templates::tuple_name(a) + "[0]; a[i] -> " +
                                             Templates::tuple_name(e) + "[" + (t.holes(e) == 1 ? "i" : "") + "] }");
    };
    CHECK(heap::mentions_unknown(of(unknown), t));
    CHECK(heap::mentions_unknown(of(other), t));
    CHECK(!heap::mentions_unknown(of(uninit), t));
    CHECK(!heap::mentions_unknown(of(a), t));
}

TEST_CASE("a template and the name of its tuples") {
    CHECK(Templates::tuple_name({17}) == "e17");
    CHECK(Templates::of_tuple("e17") == Template{17});
    CHECK(Templates::of_tuple("e0") == Template{0});
    for (const char* name : {"", "e", "a17", "17", "e17x", "ex", "e-1", "e99999999999"}) {
        CHECK_THROWS_AS(Templates::of_tuple(name), InternalError);
    }
}

TEST_CASE("templates print in the notation of SAREs") {
    Templates t;
    const auto cell = [&](const std::string& name) { return t.cell(name, 0, Type::i32, 0); };
    const Template a = cell("A"), b = cell("B"), c = cell("C");
    const auto print = [&](Template e) { return t.to_string(e, std::vector<std::string>(t.holes(e), "i")); };
    const auto op = [&](BinaryOp o, Template x, Template y) { return t.apply(o, x, y); };
    CHECK(print(op(BinaryOp::add, a, op(BinaryOp::mul, b, c))) == "A() + B() * C()");
    CHECK(print(op(BinaryOp::mul, op(BinaryOp::add, a, b), c)) == "(A() + B()) * C()");
    CHECK(print(op(BinaryOp::sub, a, op(BinaryOp::sub, b, c))) == "A() - (B() - C())");
    CHECK(print(op(BinaryOp::sub, op(BinaryOp::sub, a, b), c)) == "A() - B() - C()");
    CHECK(print(op(BinaryOp::add, op(BinaryOp::min, a, b), c)) == "min(A(), B()) + C()");
    CHECK(print(t.apply(UnaryOp::negate, op(BinaryOp::add, a, b))) == "-(A() + B())");
    CHECK(print(t.apply(UnaryOp::absolute, op(BinaryOp::add, a, b))) == "abs(A() + B())");
    CHECK(print(t.cast(Type::u8, op(BinaryOp::add, a, t.embed(Type::i32)))) == "u8(A() + i32<i>)");
    CHECK(print(t.cell("T", 2, Type::f32, 2)) == "T(i, i)[2]");
    CHECK(print(t.uninit(Type::u8)) == "uninit_u8");
    CHECK(print(t.unknown(Type::f32)) == "unknown_f32");
    CHECK(print(t.literal(Value::integer(Type::i32, -5))) == "-5i32");
}
