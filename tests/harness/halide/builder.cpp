#include "generators/schedule/halide/language.h"
#include "tests/harness/halide/programs.h"
#include "tests/support/catch.h"

// Whole definitions: updates, filters, tuples, several outputs. Sizes: N = 16.
namespace haruspex::halide::test {
namespace {

using value::BinaryOp;
using value::Type;

sare::Index add(sare::Index a, sare::Index b) {
    return {sare::IndexBinary{sare::IndexOp::add, std::move(a), std::move(b)}};
}
sare::Index scale(std::int64_t factor, sare::Index a) { return {sare::IndexScale{factor, std::move(a)}}; }

}  // namespace

TEST_CASE("a scan reads what it has just written") {
    sare::Function f = function("f", {Type::i32}, {"x"}, {access("a", {var("x")})});
    f.updates.push_back(
        {{{"k", num(1), num(15)}}, {var("k")}, {plus(access("f", {var("k")}), access("f", {add(var("k"), num(-1))}))}});
    const cases::Case c = case_of(algorithm({{"a", Type::i32, 1}}, {f}, "f", {span(0, 16)}));
    std::vector<std::int64_t> wanted;
    for (std::int64_t x = 0; x < 16; ++x) { wanted.push_back((x > 0 ? wanted.back() : 0) + input(c, "a", {x})); }
    CHECK(integers(c) == wanted);
}

TEST_CASE("of several recurrence variables the first runs innermost") {
    // f(0) = 3 f(0) + 2 k + l over k in [0, 2), l in [0, 3): the result's digits show the order.
    sare::Function f = function("f", {Type::i32}, {}, {lit(Type::i32, 0)});
    const sare::Expr step = embed(Type::i32, add(scale(2, var("k")), var("l")));
    f.updates.push_back({{{"k", num(0), num(2)}, {"l", num(0), num(3)}},
                         {},
                         {plus(apply(BinaryOp::mul, access("f", {}), lit(Type::i32, 3)), step)}});
    std::int64_t wanted = 0;
    for (std::int64_t l = 0; l < 3; ++l) {
        for (std::int64_t k = 0; k < 2; ++k) { wanted = 3 * wanted + 2 * k + l; }
    }
    CHECK(integers(case_of(algorithm({}, {f}, "f", {}))) == std::vector<std::int64_t>{wanted});
}

TEST_CASE("a filter with several conjuncts, one of them on the pure variable") {
    sare::Function f = function("f", {Type::i32}, {"x"}, {lit(Type::i32, 0)});
    f.updates.push_back({{{"k", num(-2), var("N")}},
                         {var("x")},
                         {plus(access("f", {var("x")}), embed(Type::i32, var("k")))},
                         {sare::And{at_most(var("k"), var("x")), less(num(0), var("k"))}}});
    const cases::Case c = case_of(algorithm({}, {f}, "f", {span(-3, 8)}));
    std::vector<std::int64_t> wanted;
    for (std::int64_t x = -3; x < 5; ++x) { wanted.push_back(x > 0 ? x * (x + 1) / 2 : 0); }
    CHECK(integers(c) == wanted);
}

TEST_CASE("an in-place recurrence with a stride") {
    // f(2k) += f(k)
    sare::Function f = function("f", {Type::i32}, {"x"}, {embed(Type::i32, var("x"))});
    f.updates.push_back({{{"k", num(1), num(7)}},
                         {scale(2, var("k"))},
                         {plus(access("f", {scale(2, var("k"))}), access("f", {var("k")}))}});
    std::vector<std::int64_t> wanted;
    for (std::int64_t x = 0; x < 16; ++x) { wanted.push_back(x); }
    for (std::size_t k = 1; k < 8; ++k) { wanted[2 * k] += wanted[k]; }
    CHECK(integers(case_of(algorithm({}, {f}, "f", {span(0, 16)}))) == wanted);
}

TEST_CASE("an update that mentions none of its recurrence variables still runs once for each point") {
    sare::Function f = function("f", {Type::i32}, {"x"}, {lit(Type::i32, 1)});
    f.updates.push_back(
        {{{"k", num(0), num(5)}}, {var("x")}, {apply(BinaryOp::mul, access("f", {var("x")}), lit(Type::i32, 2))}});
    CHECK(integers(case_of(algorithm({}, {f}, "f", {span(0, 3)}))) == std::vector<std::int64_t>{32, 32, 32});
}

TEST_CASE("an update without recurrence variables, on a cell that is not at the origin") {
    sare::Function f = function("f", {Type::i32}, {"x"}, {lit(Type::i32, 1)});
    f.updates.push_back({{}, {num(4)}, {lit(Type::i32, 9)}});
    CHECK(integers(case_of(algorithm({}, {f}, "f", {span(3, 3)}))) == std::vector<std::int64_t>{1, 9, 1});
}

TEST_CASE("components of a tuple recur through each other") {
    sare::Function f = function("f", {Type::i32, Type::u8}, {"x"}, {embed(Type::i32, var("x")), lit(Type::u8, 1)});
    f.updates.push_back(
        {{{"k", num(0), num(3)}},
         {var("x")},
         {plus(sare::Expr{sare::Cast{Type::i32, access("f", {var("x")}, 1)}}, embed(Type::i32, var("k"))),
          sare::Expr{sare::Cast{Type::u8, access("f", {var("x")}, 0)}}}});
    const auto all = results(case_of(algorithm({}, {f}, "f", {span(5, 2)})));
    for (std::int64_t x = 5; x < 7; ++x) {
        std::int64_t a = x, b = 1;
        for (std::int64_t k = 0; k < 3; ++k) {
            const std::int64_t next = b + k;
            b = a & 255;
            a = next;
        }
        CHECK(all[0][static_cast<std::size_t>(x - 5)].as_signed() == a);
        CHECK(all[1][static_cast<std::size_t>(x - 5)].as_unsigned() == static_cast<std::uint64_t>(b));
    }
}

// An output that another output reads must cover the cells read: Halide computes it once, into its buffer.
TEST_CASE("several outputs on boxes of their own") {
    const sare::Function f =
        function("f", {Type::i32}, {"x", "y"}, {embed(Type::i32, add(var("x"), scale(100, var("y"))))});
    const sare::Function g = function("g", {Type::boolean, Type::i64}, {"x"},
                                      {sare::Expr{sare::Guard{less(var("x"), num(2))}},
                                       {sare::Cast{Type::i64, access("f", {add(var("x"), num(-2)), num(4)})}}});
    sare::Algorithm a = algorithm({}, {f, g}, "g", {span(1, 2)});
    a.outputs.push_back({"f", {span(-1, 2), span(4, 2)}});
    const compiler::Observation o = observe(case_of(a));
    INFO(o.message);
    REQUIRE(o.first.size() == 3);
    CHECK(o.first[0] == compiler::TensorData{"g", 0, Type::boolean, {1}, {2}, {1, 0}});
    CHECK(o.first[1] == compiler::TensorData{"g", 1, Type::i64, {1}, {2}, {399, 400}});
    CHECK(o.first[2] == compiler::TensorData{"f", 0, Type::i32, {-1, 4}, {2, 2}, {399, 400, 499, 500}});
    CHECK(o.second == o.first);
}

TEST_CASE("sizes set parameters, in domains and in values") {
    sare::Function f = function("f", {Type::i32}, {"x"}, {embed(Type::i32, var("N"))});
    f.updates.push_back(
        {{{"k", num(0), var("N")}}, {num(0)}, {plus(access("f", {num(0)}), embed(Type::i32, var("k")))}});
    const sare::Algorithm a = algorithm({}, {f}, "f", {{num(0), var("N")}});
    CHECK(integers(case_of(a, {}, 3)) == std::vector<std::int64_t>{6, 3, 3});
    CHECK(integers(case_of(a, {}, 4)) == std::vector<std::int64_t>{10, 4, 4, 4});
}

TEST_CASE("strict floats keep NaN, infinities, signed zeros and denormals apart") {
    const sare::Expr a = access("a", {var("x")});
    cases::Case c = case_of(algorithm(
        {{"a", Type::f32, 1}},
        {function("f", {Type::f32, Type::boolean}, {"x"}, {plus(a, lit(Type::f32, 0)), apply(BinaryOp::eq, a, a)})},
        "f", {span(0, 200)}));
    c.strict_float = true;
    c.inputs.at("a").special_values = true;
    const auto all = results(c);
    int special = 0;
    for (std::int64_t x = 0; x < 200; ++x) {
        const value::Value v = cases::input_value(c.input_seed, "a", c.inputs.at("a"), {x});
        const auto i = static_cast<std::size_t>(x);
        const value::Value wanted = value::apply(BinaryOp::add, v, value::Value::f32(0));
        CHECK(value::same_result(all[0][i], wanted));
        CHECK(all[1][i].as_bool() == !v.is_nan());
        special += v.is_nan() ? 1 : 0;
    }
    CHECK(special > 0);
}

TEST_CASE("inputs of every type arrive bit by bit") {
    for (const Type type : schedule::halide::language().types()) {
        cases::Case c = case_of(algorithm({{"a", type, 1}}, {function("f", {type}, {"x"}, {access("a", {var("x")})})},
                                          "f", {span(-50, 100)}));
        if (value::is_integer(type)) { c.inputs.at("a").range = value::full_range(type); }
        const auto all = results(c);
        for (std::int64_t x = -50; x < 50; ++x) {
            CHECK(all[0][static_cast<std::size_t>(x + 50)] ==
                  cases::input_value(c.input_seed, "a", c.inputs.at("a"), {x}));
        }
    }
}

}  // namespace haruspex::halide::test
