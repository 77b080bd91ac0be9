#include <limits>

#include "generators/base/ensure.h"
#include "tests/oracle/interp/support.h"

namespace haruspex::interp {
namespace {

using value::Type;
using value::Value;

// The value of A(x), where the tensor A has the given type and definition.
Value value_of(const std::string& expression, const std::string& type, std::int64_t x) {
    const sare::Sare s = parse("sare s(N) {\n  input in : i32[1]\n  tensor A : " + type +
                               "[1]\n  A(x) = " + expression + "\n  output A on { [x] : 0 <= x < N }\n}\n");
    return evaluate(s, {{"N", 10}}, "A", {x});
}

TEST_CASE("every kind of expression has the value of its operator") {
    CHECK(value_of("-5i32", "i32", 0) == i32(-5));
    CHECK(value_of("u8<x>", "u8", 300) == Value::integer(Type::u8, 44));
    CHECK(value_of("f32<2*x + N>", "f32", 3) == Value::f32(16));
    CHECK(value_of("[x < N and not x = 3]", "bool", 3) == Value::boolean(false));
    CHECK(value_of("[x < N and not x = 3]", "bool", 4) == Value::boolean(true));
    CHECK(value_of("in(x + 1)", "i32", 4) == i32(5));
    CHECK(value_of("abs(in(x))", "u32", -7) == Value::integer(Type::u32, 7));
    CHECK(value_of("in(x) - in(N)", "i32", 4) == i32(-6));
    CHECK(value_of("in(x) / -2i32", "i32", -7) == i32(4));
    CHECK(value_of("select(in(x) > 3i32, in(x), -in(x))", "i32", 3) == i32(-3));
    CHECK(value_of("select(in(x) > 3i32, in(x), -in(x))", "i32", 4) == i32(4));
    CHECK(value_of("i8(in(x))", "i8", 200) == Value::integer(Type::i8, -56));
    CHECK(value_of("2147483647i32 + in(x)", "i32", 0) == i32(2147483647));
    CHECK(value_of("2147483647i32 + in(x)", "i32", 1) == Value::undef(Type::i32));
}

TEST_CASE("every kind of index has its value") {
    const auto index = [](const std::string& text, std::int64_t x) {
        return value_of("i32<" + text + ">", "i32", x).as_signed();
    };
    CHECK(index("7", 0) == 7);
    CHECK(index("x + N", 4) == 14);
    CHECK(index("x - 2*N", 4) == -16);
    CHECK(index("x / 4", -1) == -1);
    CHECK(index("x / 4", 7) == 1);
    CHECK(index("x % 4", -1) == 3);
    CHECK(index("3*(x / 2) + x % 2", 5) == 7);
    CHECK(index("min(x, N)", 12) == 10);
    CHECK(index("max(x, N)", 12) == 12);
    CHECK(index("2*max(x, 0) - min(x, 0)", -3) == 3);
    CHECK(index("select(x < 5 or x = 8, x, N)", 8) == 8);
    CHECK(index("select(x < 5 or x = 8, x, N)", 7) == 10);
    CHECK(index("select(N = 10, x / 2, x % 2)", 9) == 4);
    CHECK(index("N / 4 + N % 4 + min(N, 3)", 0) == 7);
}

TEST_CASE("selects and logical operators demand both arms") {
    const std::string overflow = "(2147483647i32 + 1i32)";
    CHECK(value_of("select([x > 5], 1i32, " + overflow + ")", "i32", 7).is_undef());
    CHECK(value_of("select(in(x) > 5i32, 1i32, " + overflow + ")", "i32", 7).is_undef());
    CHECK(value_of("[x < 5] && " + overflow + " > 0i32", "bool", 7).is_undef());
    CHECK(value_of("[x > 5] || " + overflow + " > 0i32", "bool", 7).is_undef());
    const sare::Sare s = parse(R"(sare s(N) {
  input in : i32[1]
  B(x) = in(x)
  A(x) = select([x > 5], 1i32, B(x))
  output A on { [x] : 0 <= x < N }
})");
    SareInterpreter interpreter(s, {{"N", 10}}, decimal_input);
    REQUIRE(interpreter.evaluate("A", 0, {7}) == i32(1));
    CHECK(interpreter.steps() == 2);
}

TEST_CASE("reductions fold every operator over their domain, from the neutral element") {
    CHECK(value_of("sum over { [k] : 0 <= k < x } of (in(k))", "i32", 5) == i32(10));
    CHECK(value_of("prod over { [k] : 1 <= k <= x } of (in(k))", "i32", 5) == i32(120));
    CHECK(value_of("min over { [k] : 2 <= k <= x } of (in(k))", "i32", 5) == i32(2));
    CHECK(value_of("max over { [k] : 2 <= k <= x } of (in(k))", "i32", 5) == i32(5));
    CHECK(value_of("and over { [k] : 0 <= k <= x } of (in(k) < 6i32)", "bool", 5) == Value::boolean(true));
    CHECK(value_of("and over { [k] : 0 <= k <= x } of (in(k) < 5i32)", "bool", 5) == Value::boolean(false));
    CHECK(value_of("or over { [k] : 0 <= k <= x } of (in(k) > 5i32)", "bool", 5) == Value::boolean(false));

    CHECK(value_of("sum over { [k] : 0 <= k < x } of (in(k))", "i32", 0) == i32(0));
    CHECK(value_of("min over { [k] : 0 <= k < x } of (in(k))", "i32", -3) == i32(2147483647));
    CHECK(value_of("and over { [k] : 0 <= k < x } of ([k > 0])", "bool", 0) == Value::boolean(true));
    CHECK(value_of("sum over { [k] : 0 <= k < 1 } of (-0.0f32)", "f32", 0) == Value::f32(0.0F));
}

TEST_CASE("reductions over several variables, bounded through each other and nested") {
    // 0 <= j <= k < x: x (x + 1) / 2 points.
    CHECK(value_of("sum over { [k, j] : 0 <= j and j <= k and k < x } of (1i32)", "i32", 6) == i32(21));
    CHECK(value_of("sum over { [j, k] : 0 <= j and j <= k and k < x } of (in(k))", "i32", 4) == i32(0 + 2 + 6 + 12));
    CHECK(value_of("sum over { [k] : 0 <= k < 3 } of (sum over { [j] : k <= j < x } of (in(j) * in(k)))", "i32", 3) ==
          i32(1 * (1 + 2) + 2 * 2));
    CHECK(value_of("sum over { [k] : 0 <= 3*k and 3*k < x } of (in(k))", "i32", 10) == i32(0 + 1 + 2 + 3));
    CHECK(value_of("sum over { [k] : 0 <= k < x and k % 3 = 1 } of (in(k))", "i32", 10) == i32(1 + 4 + 7));
    CHECK(value_of("sum over { [k] : (0 <= k < 3 or 5 <= k < x) and k != 6 } of (in(k))", "i32", 8) ==
          i32(0 + 1 + 2 + 5 + 7));
    CHECK(value_of("sum over { [k] : not (k < 0 or k >= x) } of (in(k))", "i32", 4) == i32(6));
    CHECK(value_of("sum over { [k] : k / 2 = x } of (in(k))", "i32", 4) == i32(8 + 9));
    CHECK(value_of("sum over { [k] : max(k, 0 - k) <= x } of (1i32)", "i32", 4) == i32(9));
}

TEST_CASE("a reduction folds in lexicographic order") {
    // Adding 1 to 2^24 loses the 1: one of the two is lost. With k fastest, or backwards, both are kept.
    CHECK(value_of("sum over { [k, j] : 0 <= k < 2 and 0 <= j < 2 } of "
                   "(select([j = 1], 1.0f32, select([k = 0], 16777216.0f32, -16777216.0f32)))",
                   "f32", 0) == Value::f32(1.0F));
}

TEST_CASE("Fibonacci is evaluated once for each cell") {
    const sare::Sare s = parse(R"(sare fib(N) assuming N >= 0 {
  tensor F : i64[1]
  F(n) = 0i64 if n = 0
  F(n) = 1i64 if n = 1
  F(n) = F(n-1) + F(n-2) if n >= 2
  output F on { [n] : 0 <= n < N }
})");
    SareInterpreter interpreter(s, {{"N", 80}}, decimal_input);
    CHECK(interpreter.evaluate("F", 0, {80}) == Value::integer(Type::i64, 23416728348467685));
    CHECK(interpreter.steps() == 81);
    CHECK(interpreter.evaluate("F", 0, {79}) == Value::integer(Type::i64, 14472334024676221));
    CHECK(interpreter.steps() == 81);
    // Beyond 64 bits a signed sum is Undef, which is a value.
    CHECK(interpreter.evaluate("F", 0, {100}) == Value::undef(Type::i64));
}

TEST_CASE("a wavefront along the diagonal") {
    // Binomial coefficients.
    const sare::Sare s = parse(R"(sare pascal(N) assuming N >= 0 {
  tensor P : i64[2]
  P(i, j) = 1i64 if i = 0 or j = 0
  P(i, j) = P(i-1, j) + P(i, j-1) if i >= 1 and j >= 1
  output P on { [i, j] : 0 <= i < N and 0 <= j < N }
})");
    SareInterpreter interpreter(s, {{"N", 20}}, decimal_input);
    CHECK(interpreter.evaluate("P", 0, {16, 16}) == Value::integer(Type::i64, 601080390));
    // The whole square except its corner (0, 0), which no recurrence reads.
    CHECK(interpreter.steps() == 17 * 17 - 1);
}

TEST_CASE("tensors recur through each other, and components through components") {
    const sare::Sare mutual = parse(R"(sare mutual(N) assuming N >= 0 {
  tensor E : bool[1]
  tensor O : bool[1]
  E(n) = true if n = 0
  E(n) = O(n-1) if n >= 1
  O(n) = false if n = 0
  O(n) = E(n-1) if n >= 1
  output E on { [n] : 0 <= n < N }
  output O on { [n] : 0 <= n < N }
})");
    CHECK(evaluate(mutual, {{"N", 10}}, "E", {10}) == Value::boolean(true));
    CHECK(evaluate(mutual, {{"N", 10}}, "O", {10}) == Value::boolean(false));
    const sare::Sare tuple = parse(R"(sare tuple(N) assuming N >= 0 {
  tensor T : {i32, i64}[1]
  T(n) = {0i32, 1i64} if n = 0
  T(n) = {i32(T(n-1)[1]), i64(T(n-1)[0]) + 2i64} if n >= 1
  output T on { [n] : 0 <= n < N }
})");
    CHECK(evaluate(tuple, {{"N", 10}}, "T", {5}, 0) == i32(5));
    CHECK(evaluate(tuple, {{"N", 10}}, "T", {5}, 1) == Value::integer(Type::i64, 6));
}

TEST_CASE("a cell that depends on itself is an error that names it") {
    const sare::Sare s = parse(R"(sare cycle(N) assuming N >= 0 {
  tensor A : i32[1]
  tensor B : {i32, i32}[2]
  A(i) = A(i) + 1i32
  B(i, j) = {B(j, i)[1], B(i, j)[0]}
  output A on { [i] : 0 <= i < N }
})");
    CHECK(error_of(s, {{"N", 4}}, "A", {3}) == "A(3) depends on itself");
    CHECK(error_of(s, {{"N", 4}}, "B", {1, 2}) == "B(1, 2)[0] depends on itself");
}

TEST_CASE("after an error the interpreter can be asked on") {
    const sare::Sare s = parse(R"(sare s(N) assuming N >= 0 {
  tensor A : i32[1]
  A(i) = 1i32 if i = 0
  A(i) = A(i - 2) if i != 0
  output A on { [i] : 0 <= i < 1 }
})");
    SareInterpreter interpreter(s, {{"N", 4}}, decimal_input);
    interpreter.limit_steps(1000);
    const auto endless = interpreter.evaluate("A", 0, {5});
    REQUIRE_FALSE(endless);
    CHECK(endless.error().message == "needs more than 1000 cell evaluations");
    interpreter.limit_steps(2000);
    CHECK(interpreter.evaluate("A", 0, {6}) == i32(1));
    // A cell that was being evaluated when the limit was reached is not taken for a cycle.
    const auto again = interpreter.evaluate("A", 0, {5});
    REQUIRE_FALSE(again);
    CHECK(again.error().message == "needs more than 2000 cell evaluations");
}

TEST_CASE("steps that are tested for who wrote a cell count against the limit, as parts of a cell") {
    const sare::Sare s = parse(R"(sare s(N) assuming N >= 0 {
  f(x) = 1i32
  update f(x) = f(x) + 1i32 over k in [0, N) where x > k
  output f on { [x] : 0 <= x < 1 }
})");
    SareInterpreter interpreter(s, {{"N", 100000}}, decimal_input);
    interpreter.limit_steps(1000);
    const auto long_sought = interpreter.evaluate("f", 0, {0});
    REQUIRE_FALSE(long_sought);
    CHECK(long_sought.error().message == "needs more than 1000 cell evaluations");
    interpreter.limit_steps(100000);
    CHECK(interpreter.evaluate("f", 0, {0}) == i32(1));
    CHECK(interpreter.steps() <= 2);
    CHECK_FALSE(evaluate_outputs(s, {{"N", 100000}}, decimal_input, 1000));
    CHECK(evaluate_outputs(s, {{"N", 100000}}, decimal_input));
}

TEST_CASE("points of a reduction count against the limit of steps") {
    const sare::Sare s = parse(R"(sare s(N) assuming N >= 0 {
  tensor A : i32[0]
  A() = sum over { [i, j] : 0 <= i < N and 0 <= j < N and (i + j) % 2 = 0 and (i + j) % 4 = 1 } of (1i32)
  output A on { [] : true }
})");
    SareInterpreter interpreter(s, {{"N", 1000000}}, decimal_input);
    interpreter.limit_steps(100000);
    const auto endless = interpreter.evaluate("A", 0, {});
    REQUIRE_FALSE(endless);
    CHECK(endless.error().message == "needs more than 100000 cell evaluations");
}

TEST_CASE("indices that leave 64 bits are an error") {
    const sare::Sare s = parse(R"(sare s(N) assuming N >= 0 {
  input in : i32[1]
  A(i) = in(4611686018427387904 * i)
  B(i) = in(4611686018427387904 * (i / 2) + i)
  C(i) = select([4611686018427387904 * i > 0], 1i32, 0i32)
  output A on { [i] : 0 <= i < N }
})");
    CHECK(evaluate(s, {{"N", 1}}, "A", {1}).is_defined());
    CHECK(error_of(s, {{"N", 1}}, "A", {2}) == "an index in 'A' leaves 64 bits");
    CHECK(error_of(s, {{"N", 1}}, "B", {4}) == "an index in 'B' leaves 64 bits");
    CHECK(error_of(s, {{"N", 1}}, "C", {2}) == "an index in 'C' leaves 64 bits");
}

TEST_CASE("for a machine of 32 bits, indices, their parts and the sides of comparisons have to fit these") {
    const sare::Sare s = parse(R"(sare s(N) assuming N >= 0 {
  A(i) = i32<((1000000*i) / 3) % 1001>
  B(i) = select([2000000*i > 1000000*i], 1i32, 0i32)
  C(i) = i32<(2000000*N) / 3>
  D(i) = i32<2000000*i - 1999999*i>
  E(i) = sum over { [r] : 3000000000*i <= r and r < 3000000001*i } of (1i32)
  output A on { [i] : 0 <= i < N }
  output B on { [i] : 0 <= i < N }
  output C on { [i] : 0 <= i < 1 }
  output D on { [i] : 0 <= i < N }
  output E on { [i] : 0 <= i < 1 }
})");
    const auto outputs_of = [&s](std::int64_t size, int bits) {
        return evaluate_outputs(s, {{"N", size}}, decimal_input, default_most_steps, bits);
    };
    const auto message_of = [&](const std::string& tensor, const Cell& cell) {
        SareInterpreter narrow(s, {{"N", 2000}}, decimal_input, 32);
        const auto value = narrow.evaluate(tensor, 0, cell);
        return value ? "is " + value::to_string(*value) : value.error().message;
    };
    CHECK(outputs_of(1000, 32)->at(0).cells == outputs_of(1000, 64)->at(0).cells);
    CHECK(outputs_of(3000, 64));
    CHECK(message_of("A", {2147}) == "is 715i32");
    CHECK(message_of("A", {2148}) == "an index in 'A' leaves 32 bits");
    CHECK(message_of("B", {1073}) == "is 1i32");
    CHECK(message_of("B", {1074}) == "an index in 'B' leaves 32 bits");
    CHECK(message_of("C", {0}) == "an index in 'C' leaves 32 bits");
    CHECK(message_of("D", {2000}) == "is 2000i32");
    CHECK(message_of("E", {0}) == "is 0i32");
    CHECK(message_of("E", {1}) == "an index in 'E' leaves 32 bits");
    CHECK(outputs_of(3000, 32).error().message == "an index in 'A' leaves 32 bits");
    const sare::Sare box = parse("sare s(N) {\n  A(x) = 1i32\n  output A on { [x] : 3*N <= x < 3*N + 1 }\n}");
    CHECK(evaluate_outputs(box, {{"N", 1000000000}}, decimal_input));
    CHECK(evaluate_outputs(box, {{"N", 1000000000}}, decimal_input, default_most_steps, 32).error().message ==
          "the box of output 'A' leaves 32 bits");
}

TEST_CASE("a chain of a million cells does not overflow the stack") {
    const sare::Sare s = parse(R"(sare scan(N) assuming N >= 0 {
  input in : i32[1]
  tensor S : i64[1]
  S(n) = 0i64 if n = 0
  S(n) = S(n-1) + 1i64 if n >= 1
  output S on { [n] : 0 <= n < N }
})");
    SareInterpreter interpreter(s, {{"N", 1}}, decimal_input);
    CHECK(interpreter.evaluate("S", 0, {1000000}) == Value::integer(Type::i64, 1000000));
    CHECK(interpreter.steps() == 1000001);
    interpreter.limit_steps(std::numeric_limits<std::uint64_t>::max());
    const auto deeper = interpreter.evaluate("S", 0, {100000000});
    REQUIRE_FALSE(deeper);
    CHECK(deeper.error().message == "more than 4194304 cells wait for each other");
}

TEST_CASE("inputs are asked once for each cell") {
    const sare::Sare s = parse(R"(sare s(N) assuming N >= 0 {
  input in : i32[1]
  A(x) = in(x) + in(x+1) + in(x)
  output A on { [x] : 0 <= x < N }
})");
    int asked = 0;
    const auto count = [&](const std::string& name, const Cell& indices) {
        CHECK(name == "in");
        ++asked;
        return decimal_input(name, indices);
    };
    const auto outputs = evaluate_outputs(s, {{"N", 20}}, count);
    REQUIRE(outputs);
    CHECK(asked == 21);
}

TEST_CASE("outputs are boxes with dimension 0 fastest, component by component") {
    const sare::Sare s = parse(R"(sare s(W, H) assuming W >= 0 and H >= 0 {
  input in : i32[2]
  tensor T : {i32, bool}[2]
  A(x, y) = in(x, y)
  T(x, y) = {in(y, x), [x = y]}
  output T on { [x, y] : -1 <= x < 1 and 0 <= y < 1 }
  output A on { [x, y] : 2 <= x < W and H <= y < H + 2 }
})");
    const auto outputs = evaluate_outputs(s, {{"W", 5}, {"H", 7}}, decimal_input);
    REQUIRE(outputs);
    REQUIRE(outputs->size() == 3);
    CHECK((*outputs)[0].tensor == "T");
    CHECK((*outputs)[0].component == 0);
    CHECK((*outputs)[0].min == Cell{-1, 0});
    CHECK((*outputs)[0].extent == Cell{2, 1});
    CHECK((*outputs)[0].cells == std::vector{i32(-10), i32(0)});
    CHECK((*outputs)[1].component == 1);
    CHECK((*outputs)[1].cells == std::vector{Value::boolean(false), Value::boolean(true)});
    CHECK((*outputs)[2].tensor == "A");
    CHECK((*outputs)[2].min == Cell{2, 7});
    CHECK((*outputs)[2].extent == Cell{3, 2});
    CHECK((*outputs)[2].cells == std::vector{i32(72), i32(73), i32(74), i32(82), i32(83), i32(84)});
    const auto empty = evaluate_outputs(s, {{"W", 2}, {"H", 7}}, decimal_input);
    REQUIRE(empty);
    CHECK((*empty)[2].cells.empty());
    const auto negative = evaluate_outputs(s, {{"W", 1}, {"H", 7}}, decimal_input);
    REQUIRE_FALSE(negative);
    CHECK(negative.error().message == "the box of output 'A' has a negative extent");
    const auto vast = evaluate_outputs(s, {{"W", 1000000000}, {"H", 7}}, decimal_input);
    REQUIRE_FALSE(vast);
    CHECK(vast.error().message == "the box of output 'A' has too many cells");
}

TEST_CASE("a parameter without a value is a fault of ours") {
    const sare::Sare s = parse("sare s(N) {\n  A(x) = 1i32\n  output A on { [x] : 0 <= x < N }\n}");
    CHECK_THROWS_AS(SareInterpreter(s, {}, decimal_input), InternalError);
}

}  // namespace
}  // namespace haruspex::interp
