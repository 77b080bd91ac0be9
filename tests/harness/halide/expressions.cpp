#include <limits>

#include "generators/schedule/halide/language.h"
#include "tests/harness/halide/programs.h"
#include "tests/support/catch.h"

namespace haruspex::halide::test {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

constexpr std::int64_t cells = 24;

// f(x) = values, x in [-3, 21)
cases::Case pointwise(std::vector<sare::Input> inputs, std::vector<Type> types, std::vector<sare::Expr> values) {
    return case_of(algorithm(std::move(inputs), {function("f", std::move(types), {"x"}, std::move(values))}, "f",
                             {span(-3, cells)}));
}

// The integers f(x) = index for x in [-3, 21), N = 16
std::vector<std::int64_t> index_values(const sare::Index& index) {
    return integers(pointwise({}, {Type::i32}, {embed(Type::i32, index)}));
}

template <typename F>
std::vector<std::int64_t> expected(F f) {
    std::vector<std::int64_t> all;
    for (std::int64_t x = -3; x < -3 + cells; ++x) { all.push_back(f(x)); }
    return all;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return a - b * floor_div(a, b); }

}  // namespace

TEST_CASE("every operator means in Halide what generators/value says, at every type") {
    for (const Type type : schedule::halide::language().types()) {
        const sare::Expr a = access("a", {var("x")});
        const sare::Expr b = access("b", {var("x")});
        std::vector<Type> types;
        std::vector<sare::Expr> values;
        std::vector<std::function<Value(const Value&, const Value&)>> meanings;
        for (const UnaryOp op : value::all_unary_ops) {
            if (const auto t = value::result_type(op, type)) {
                types.push_back(*t);
                values.push_back(apply(op, a));
                meanings.emplace_back([op](const Value& u, const Value&) { return value::apply(op, u); });
            }
        }
        for (const BinaryOp op : value::all_binary_ops) {
            if (const auto t = value::result_type(op, type, type)) {
                types.push_back(*t);
                values.push_back(apply(op, a, b));
                meanings.emplace_back([op](const Value& u, const Value& v) { return value::apply(op, u, v); });
            }
        }
        cases::Case c = pointwise({{"a", type, 1}, {"b", type, 1}}, types, values);
        c.strict_float = true;
        const auto all = results(c);
        REQUIRE(all.size() == meanings.size());
        int compared = 0;
        for (std::size_t k = 0; k < all.size(); ++k) {
            for (std::int64_t x = -3; x < -3 + cells; ++x) {
                const Value u = cases::input_value(c.input_seed, "a", c.inputs.at("a"), {x});
                const Value v = cases::input_value(c.input_seed, "b", c.inputs.at("b"), {x});
                const Value wanted = meanings[k](u, v);
                if (!wanted.is_defined()) { continue; }
                const Value got = all[k][static_cast<std::size_t>(x + 3)];
                INFO(value::name(type) << " component " << k << " of " << value::to_string(u) << ", "
                                       << value::to_string(v));
                CHECK(value::to_string(got) == value::to_string(wanted));
                ++compared;
            }
        }
        CHECK(compared > 100);
    }
}

TEST_CASE("literals reach Halide bit by bit") {
    std::vector<Value> literals{Value::boolean(true),
                                Value::boolean(false),
                                Value::f32(-0.0F),
                                Value::f64(0.1),
                                Value::f32(std::numeric_limits<float>::infinity()),
                                Value::f64(std::numeric_limits<double>::denorm_min())};
    for (const Type t : schedule::halide::language().types()) {
        if (value::is_integer(t)) {
            literals.push_back(Value::from_bits(t, ~std::uint64_t{0}));
            literals.push_back(Value::from_bits(t, std::uint64_t{1} << (value::bits(t) - 1)));
            literals.push_back(Value::from_bits(t, (std::uint64_t{1} << (value::bits(t) - 1)) - 1));
        }
    }
    std::vector<Type> types;
    std::vector<sare::Expr> values;
    for (const Value& v : literals) {
        types.push_back(v.type());
        values.push_back({sare::Literal{v}});
    }
    const auto all = results(pointwise({}, types, values));
    REQUIRE(all.size() == literals.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
        CHECK(value::to_string(all[k][5]) == value::to_string(literals[k]));
    }
}

TEST_CASE("signed integers of 32 and 64 bits that wrap are refused, wherever they stand") {
    const sare::Expr a = access("a", {var("x")});
    for (const Type type : {Type::w32, Type::w64}) {
        INFO(value::name(type));
        const sare::Expr cast{sare::Cast{type, a}};
        const std::vector<cases::Case> refused{
            pointwise({{"a", type, 1}}, {type}, {a}),
            pointwise({{"a", Type::i32, 1}}, {Type::i32}, {sare::Expr{sare::Cast{Type::i32, cast}}}),
            pointwise({{"a", Type::i32, 1}}, {type}, {sare::Expr{sare::Literal{Value::integer(type, 1)}}})};
        for (const cases::Case& c : refused) {
            const compiler::Observation o = observe(c);
            CHECK(o.outcome == compiler::Outcome::rejected);
            CHECK(o.message.find("a signed integer of ") != std::string::npos);
        }
    }
}

TEST_CASE("casts between every pair of types are value::cast") {
    for (const Type from : schedule::halide::language().types()) {
        std::vector<Type> types;
        std::vector<sare::Expr> values;
        for (const Type to : schedule::halide::language().types()) {
            types.push_back(to);
            values.push_back({sare::Cast{to, access("a", {var("x")})}});
        }
        const cases::Case c = pointwise({{"a", from, 1}}, types, values);
        const auto all = results(c);
        for (std::size_t k = 0; k < types.size(); ++k) {
            for (std::int64_t x = -3; x < -3 + cells; ++x) {
                const Value a = cases::input_value(c.input_seed, "a", c.inputs.at("a"), {x});
                const Value wanted = value::cast(types[k], a);
                if (!wanted.is_defined()) { continue; }
                INFO(value::to_string(a) << " to " << value::name(types[k]));
                CHECK(value::to_string(all[k][static_cast<std::size_t>(x + 3)]) == value::to_string(wanted));
            }
        }
    }
}

TEST_CASE("indices are integers with floor division") {
    const sare::Index x = var("x");
    CHECK(index_values(sare::Index{sare::IndexDiv{x, 4}}) == expected([](auto i) { return floor_div(i, 4); }));
    CHECK(index_values(sare::Index{sare::IndexMod{x, 4}}) == expected([](auto i) { return floor_mod(i, 4); }));
    CHECK(index_values(sare::Index{sare::IndexScale{-3, x}}) == expected([](auto i) { return -3 * i; }));
    CHECK(index_values(sare::Index{sare::IndexBinary{sare::IndexOp::add, x, var("N")}}) ==
          expected([](auto i) { return i + 16; }));
    CHECK(index_values(sare::Index{sare::IndexBinary{sare::IndexOp::sub, num(5), x}}) ==
          expected([](auto i) { return 5 - i; }));
    CHECK(index_values(sare::Index{sare::IndexBinary{sare::IndexOp::min, x, num(2)}}) ==
          expected([](auto i) { return std::min<std::int64_t>(i, 2); }));
    CHECK(index_values(sare::Index{sare::IndexBinary{sare::IndexOp::max, x, num(2)}}) ==
          expected([](auto i) { return std::max<std::int64_t>(i, 2); }));
    CHECK(index_values(sare::Index{sare::IndexSelect{less(x, num(4)), num(-1), x}}) ==
          expected([](auto i) { return i < 4 ? -1 : i; }));
}

TEST_CASE("an embedded index takes its type") {
    const sare::Index x = var("x");
    const auto all = results(pointwise({}, {Type::u8, Type::f32}, {embed(Type::u8, x), embed(Type::f32, x)}));
    CHECK(all[0][0].as_unsigned() == 253);
    CHECK(all[1][0].as_double() == -3.0);
}

TEST_CASE("every relation and connective of conditions") {
    using sare::Relation;
    const auto guard = [](const sare::Condition& c) {
        return integers(pointwise({}, {Type::boolean}, {sare::Expr{sare::Guard{c}}}));
    };
    const auto relation = [](Relation r) { return sare::Condition{sare::Comparison{r, var("x"), num(2)}}; };
    CHECK(guard(relation(Relation::lt)) == expected([](auto i) { return i < 2; }));
    CHECK(guard(relation(Relation::le)) == expected([](auto i) { return i <= 2; }));
    CHECK(guard(relation(Relation::eq)) == expected([](auto i) { return i == 2; }));
    CHECK(guard(relation(Relation::ne)) == expected([](auto i) { return i != 2; }));
    CHECK(guard(relation(Relation::gt)) == expected([](auto i) { return i > 2; }));
    CHECK(guard(relation(Relation::ge)) == expected([](auto i) { return i >= 2; }));
    CHECK(guard({sare::And{relation(Relation::lt), less(num(0), var("x"))}}) ==
          expected([](auto i) { return i == 1; }));
    CHECK(guard({sare::Or{relation(Relation::gt), less(var("x"), num(0))}}) ==
          expected([](auto i) { return i > 2 || i < 0; }));
    CHECK(guard({sare::Not{relation(Relation::lt)}}) == expected([](auto i) { return i >= 2; }));
    CHECK(guard({sare::Truth{true}}) == expected([](auto) { return 1; }));
}

TEST_CASE("select on a value") {
    const sare::Expr a = access("a", {var("x")});
    const cases::Case c =
        pointwise({{"a", Type::i32, 1}}, {Type::i32},
                  {sare::Expr{sare::Select{apply(BinaryOp::lt, a, lit(Type::i32, 0)), lit(Type::i32, -100), a}}});
    CHECK(integers(c) == expected([&](auto x) { return input(c, "a", {x}) < 0 ? -100 : input(c, "a", {x}); }));
}

TEST_CASE("inputs of rank 0 and 2 and the region that is asked of them") {
    const cases::Case c =
        pointwise({{"s", Type::i32, 0}, {"a", Type::i32, 2}}, {Type::i32},
                  {plus(access("s", {}), access("a", {sare::Index{sare::IndexScale{2, var("x")}}, num(-5)}))});
    CHECK(integers(c) == expected([&](auto x) { return input(c, "s", {}) + input(c, "a", {2 * x, -5}); }));
    const compiler::Observation o = observe(c);
    REQUIRE(o.input_regions.size() == 2);
    CHECK(o.input_regions[0] == compiler::InputRegion{"s", {}, {}});
    CHECK(o.input_regions[1] == compiler::InputRegion{"a", {-6, -5}, {47, 1}});
}

TEST_CASE("an input that is not read has no region") {
    const compiler::Observation o = observe(pointwise({{"a", Type::i32, 1}}, {Type::i32}, {lit(Type::i32, 3)}));
    CHECK(o.outcome == compiler::Outcome::ran);
    CHECK(o.input_regions.empty());
}

TEST_CASE("an input whose every read the compiler simplifies away") {
    // Nothing in the program then tells a query from a run. The output is larger than any scratch memory.
    const cases::Case c = case_of(algorithm(
        {{"a", Type::i32, 1}},
        {function("f", {Type::i32}, {"x"}, {apply(BinaryOp::mul, lit(Type::i32, 0), access("a", {var("x")}))})}, "f",
        {span(0, 1 << 16)}));
    const compiler::Observation o = observe(c);
    CHECK(o.outcome == compiler::Outcome::ran);
    CHECK(integers(c) == std::vector<std::int64_t>(1 << 16, 0));
}

TEST_CASE("a reduction over a box, and over a triangle within it") {
    const sare::Expr body =
        access("a", {sare::Index{sare::IndexBinary{sare::IndexOp::add, var("x"), var("j")}}, var("i")});
    const sare::Condition box{sare::And{between(0, "i", var("N")), between(-1, "j", num(3))}};
    const sare::Condition triangle{sare::And{between(0, "i", var("N")), between(0, "j", var("i"))}};
    for (const bool is_box : {true, false}) {
        const cases::Case c =
            pointwise({{"a", Type::i32, 2}}, {Type::i32},
                      {sare::Expr{sare::Reduce{value::ReductionOp::sum, {"i", "j"}, is_box ? box : triangle, body}}});
        CHECK(integers(c) == expected([&](auto x) {
                  std::int64_t sum = 0;
                  for (std::int64_t i = 0; i < 16; ++i) {
                      for (std::int64_t j = is_box ? -1 : 0; j < (is_box ? 3 : i); ++j) {
                          sum += input(c, "a", {x + j, i});
                      }
                  }
                  return sum;
              }));
    }
}

TEST_CASE("a reduction whose domain depends on the definition's variable") {
    const sare::Condition domain{sare::And{between(0, "i", num(6)), at_most(var("i"), var("x"))}};
    const cases::Case c =
        pointwise({}, {Type::i32},
                  {sare::Expr{sare::Reduce{value::ReductionOp::sum, {"i"}, domain, embed(Type::i32, var("i"))}}});
    CHECK(integers(c) == expected([](auto x) {
              const std::int64_t last = std::min<std::int64_t>(x, 5);
              return x < 0 ? 0 : last * (last + 1) / 2;
          }));
}

TEST_CASE("every reduction operator, and one whose body is constant") {
    const sare::Index shifted{sare::IndexBinary{sare::IndexOp::add, var("x"), var("i")}};
    // Checks the reduction of a(x), a(x + 1), a(x + 2), where a has the type.
    const auto check = [&](value::ReductionOp op, Type type, const auto& fold) {
        const cases::Case c =
            pointwise({{"a", type, 1}}, {type},
                      {sare::Expr{sare::Reduce{op, {"i"}, between(0, "i", num(3)), access("a", {shifted})}}});
        const auto wanted = expected(
            [&](auto x) { return fold(fold(input(c, "a", {x}), input(c, "a", {x + 1})), input(c, "a", {x + 2})); });
        CHECK(integers(c) == wanted);
    };
    using value::ReductionOp;
    using Int = std::int64_t;
    check(ReductionOp::sum, Type::i32, [](Int a, Int b) { return a + b; });
    check(ReductionOp::prod, Type::i32, [](Int a, Int b) { return a * b; });
    check(ReductionOp::min, Type::i16, [](Int a, Int b) { return std::min(a, b); });
    check(ReductionOp::max, Type::i16, [](Int a, Int b) { return std::max(a, b); });
    check(ReductionOp::logical_and, Type::boolean, [](Int a, Int b) { return a & b; });
    check(ReductionOp::logical_or, Type::boolean, [](Int a, Int b) { return a | b; });
    CHECK(integers(pointwise(
              {}, {Type::i32},
              {sare::Expr{sare::Reduce{ReductionOp::sum, {"i"}, between(0, "i", num(3)), lit(Type::i32, 2)}}})) ==
          expected([](auto) { return 6; }));
}

TEST_CASE("a reduction without bounds over the parameters is refused in words") {
    const compiler::Observation o = observe(
        pointwise({}, {Type::i32},
                  {sare::Expr{sare::Reduce{
                      value::ReductionOp::sum, {"i"}, between(0, "i", var("x")), embed(Type::i32, var("i"))}}}));
    CHECK(o.outcome == compiler::Outcome::rejected);
    CHECK(o.phase == compiler::Phase::build);
    CHECK(o.message.starts_with("not expressible in Halide: a reduction without bounds over the parameters"));
}

}  // namespace haruspex::halide::test
