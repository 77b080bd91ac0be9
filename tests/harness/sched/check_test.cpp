#include <string>

#include "harness/sched/text.h"
#include "harness/sched/typing.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::sched;
using value::Type;

namespace {

// The result of checking a program with this body, parameter N, an input in : i32[N] and an output out : i32[N].
std::string checked(Block body, Rules rules = Rules::extended) {
    const Expr extent{Variable{"N"}};
    const Program program{
        "s",
        {"N"},
        {{Role::input, "in", "in", 0, Type::i32, {{extent}}}, {Role::output, "out", "out", 0, Type::i32, {{extent}}}},
        std::move(body)};
    const auto result = check(program, rules);
    return result ? "sound" : result.error().message;
}
std::string affine_check(Block body) { return checked(std::move(body), Rules::affine); }

std::string checked(const Program& program) {
    const auto result = check(program, Rules::extended);
    return result ? "sound" : result.error().message;
}

Expr n(std::int64_t value) { return {Integer{value}}; }
Expr var(const std::string& name) { return {Variable{name}}; }
Expr one() { return {Literal{value::Value::integer(Type::i32, 1)}}; }
Expr in(Expr at) { return {Load{"in", {std::move(at)}, {}}}; }
Expr is_one(Expr a) { return {Binary{value::BinaryOp::eq, std::move(a), one()}}; }

Write write(const std::string& array, std::vector<Expr> at, Expr value) {
    return {array, std::move(at), {}, {}, std::move(value)};
}
Stmt assign(Write w) { return {Assign{{}, {}, {std::move(w)}}}; }
Stmt put(Expr value) { return assign(write("out", {n(0)}, std::move(value))); }
Stmt allocate(const std::string& name) { return {Allocate{name, Type::i32, {{n(4)}}, {}}}; }
Stmt let(const std::string& name, Expr value = n(1)) { return {Let{name, std::move(value)}}; }
Stmt loop(const std::string& name, Block body) {
    return {For{LoopKind::serial, name, n(0), var("N"), std::move(body)}};
}

}  // namespace

TEST_CASE("a fault is named with its statement") {
    CHECK(checked({put(in(n(0)))}) == "sound");
    CHECK(checked({put(in({Truth{true}}))}) == "out[0] := in[true]: expected an index, found a condition");
    CHECK(checked({loop("x", {put(one()), put(in(var("y")))})}) ==
          "out[0] := in[y]: unknown name \"y\"; expected a name in scope");
    CHECK(checked({loop("x", {}), put(in(var("x")))}) ==
          "out[0] := in[x]: unknown name \"x\"; expected a name in scope");
}

TEST_CASE("the first fault in the order of the text is found") {
    CHECK(checked({put(var("first")), put(var("second"))}) ==
          "out[0] := first: unknown name \"first\"; expected a name in scope");
    const Write w{"out", {var("first")}, {}, {}, var("second")};
    CHECK(checked({assign(w)}) == "out[first] := second: unknown name \"first\"; expected a name in scope");
}

TEST_CASE("a name is declared once in a block, and hides others in inner blocks") {
    CHECK(checked({let("x"), loop("x", {let("x"), let("y")}), let("y")}) == "sound");
    CHECK(checked({let("x"), let("x")}) ==
          "let x = 1: the name \"x\" is already declared in this block; expected a new one");
    CHECK(checked({let("N")}) == "let N = 1: the name \"N\" is already declared in this block; expected a new one");
    CHECK(checked({let("in")}) == "let in = 1: the name \"in\" is already declared in this block; expected a new one");
    CHECK(checked({loop("x", {let("in"), put(in(n(0)))})}) == "out[0] := in[0]: \"in\" is not an array; expected one");
    CHECK(checked({loop("x", {let("in")}), put(in(n(0)))}) == "sound");
    CHECK(checked({allocate("t"), {LetValue{"t", {}, Type::i32, one()}}}) ==
          "let t : i32 = 1i32: the name \"t\" is already declared in this block; expected a new one");
    CHECK(checked({let("let")}) == "let let = 1: expected a name, found \"let\"");
    CHECK(checked({let("3x")}) == "let 3x = 1: expected a name, found \"3x\"");
    CHECK(checked({loop("i32", {})}) == "for i32 in [0, N): expected a name, found \"i32\"");
}

TEST_CASE("an affine let reads no memory, a value-let may") {
    CHECK(checked({{Let{"x", {IntegerOf{in(n(0))}}}}}) ==
          "let x = int(in[0]): expected an expression that does not read memory, found a read of \"in\"");
    CHECK(checked({{Let{"x", one()}}}) == "let x = 1i32: expected an index or a condition, found i32");
    CHECK(checked({{LetValue{"v", {}, Type::i32, in(n(0))}}, {Let{"x", {IntegerOf{Expr{ValueVariable{"v", {}}}}}}}}) ==
          "sound");
    CHECK(checked({{LetValue{"v", {}, Type::u8, in(n(0))}}}) == "let v : u8 = in[0]: expected u8, found i32");
    CHECK(checked({{LetValue{"v", Lanes{"l", 2}, Type::i32, in(var("l"))}}}) == "sound");
    CHECK(checked({{LetValue{"v", Lanes{"l", 0}, Type::i32, in(var("l"))}}}) ==
          "let v[l < 0] : i32 = in[l]: expected at least one lane, found 0");
    CHECK(checked({{LetValue{"v", Lanes{"l", 2}, Type::i32, one()}}, put(in(var("l")))}) ==
          "out[0] := in[l]: unknown name \"l\"; expected a name in scope");
}

TEST_CASE("an array has a stride in each dimension or in none") {
    const auto with = [](std::vector<Dimension> dimensions, std::vector<Expr> at) {
        return checked(
            {{Allocate{"t", Type::i32, std::move(dimensions), {}}}, assign(write("t", std::move(at), one()))});
    };
    CHECK(with({{n(4)}, {n(4), n(1)}}, {n(0), n(0)}) == "sound");
    CHECK(with({{n(4), n(0), n(1)}, {n(4), n(0), n(4)}}, {n(0)}) == "sound");
    CHECK(with({{n(4), n(0), n(1)}, {n(4), n(0), n(4)}}, {n(0), n(0)}) ==
          "t[0, 0] := 1i32: array \"t\": expected 1 index, found 2");
    CHECK(with({{n(4), n(0), n(1)}, {n(4)}}, {n(0)}) ==
          "allocate t : i32[4 stride 1, 4]: expected a stride for every dimension or for none");
    CHECK(with({}, {}) == "sound");
    CHECK(with({{one()}}, {n(0)}) == "allocate t : i32[1i32]: expected an index, found i32");
    CHECK(with({{n(4), one()}}, {n(0)}) == "allocate t : i32[4 from 1i32]: expected an index, found i32");
    CHECK(with({{n(4), n(0), one()}}, {n(0)}) == "allocate t : i32[4 stride 1i32]: expected an index, found i32");
    CHECK(checked({{Allocate{"t", Type::i32, {{n(4)}}, n(3)}}}) ==
          "allocate t : i32[4] if 3: expected a condition or a bool, found an index");
}

TEST_CASE("only what the program allocates around it may be freed") {
    CHECK(checked({allocate("t"), loop("x", {{Free{"t"}}})}) == "sound");
    CHECK(checked({loop("x", {allocate("t")}), {Free{"t"}}}) == "free t: unknown name \"t\"; expected a name in scope");
    CHECK(checked({{Free{"out"}}}) == "free out: \"out\" is not allocated by the program; expected an array that is");
    CHECK(checked({let("x"), {Free{"x"}}}) == "free x: \"x\" is not an array; expected one");
}

TEST_CASE("a write has the type and the rank of its array, which is no input") {
    CHECK(checked({assign(write("in", {n(0)}, one()))}) ==
          "in[0] := 1i32: \"in\" is an input; expected an array that may be written");
    CHECK(checked({assign(write("out", {}, one()))}) == "out[] := 1i32: array \"out\": expected 1 index, found 0");
    CHECK(checked({assign(write("out", {one()}, one()))}) == "out[1i32] := 1i32: expected an index, found i32");
    CHECK(checked({put(n(1))}) == "out[0] := 1: expected i32, found an index");
    CHECK(checked({assign(write("t", {n(0)}, one()))}) == "t[0] := 1i32: unknown name \"t\"; expected a name in scope");
    CHECK(checked({{Assign{{}, {}, {}}}}) == "the assignment has no writes; expected at least one");
}

TEST_CASE("units are indices, and of a semaphore in scope; branches are blocks of their own") {
    const Stmt semaphore{Semaphore{"s", n(1)}};
    CHECK(checked({semaphore, {Fork{{{Acquire{"s", var("N")}}}, {{Release{"s", {IntegerOf{in(n(0))}}}}}}}}) == "sound");
    CHECK(checked({{Acquire{"s", n(1)}}}) == "acquire 1 of s: unknown name \"s\"; expected a name in scope");
    CHECK(checked({{Release{"in", n(1)}}}) == "release 1 of in: \"in\" is not a semaphore; expected one");
    CHECK(checked({{Semaphore{"s", one()}}}) == "semaphore s = 1i32: expected an index, found i32");
    CHECK(checked({semaphore, {Acquire{"s", one()}}}) == "acquire 1i32 of s: expected an index, found i32");
    CHECK(checked({semaphore, let("s")}) ==
          "let s = 1: the name \"s\" is already declared in this block; expected a new one");
    CHECK(checked({semaphore, put(in(var("s")))}) == "out[0] := in[s]: \"s\" is a semaphore; expected a variable");
    CHECK(checked({semaphore, {Free{"s"}}}) == "free s: \"s\" is not an array; expected one");
    CHECK(checked({{Fork{{let("x")}, {let("x")}}}, let("x")}) == "sound");
    CHECK(checked({{Fork{{let("x")}, {put(in(var("x")))}}}}) ==
          "out[0] := in[x]: unknown name \"x\"; expected a name in scope");
}

TEST_CASE("lanes are in scope of an assignment's condition and writes") {
    const auto with = [](Lanes lanes, Expr condition) {
        return checked({{Assign{std::move(lanes), std::move(condition), {write("out", {var("l")}, in(var("l")))}}}});
    };
    CHECK(with({"l", 4}, {Comparison{Relation::lt, var("l"), var("N")}}) == "sound");
    CHECK(with({"l", 0}, {Truth{true}}) ==
          "lanes l < 0 do if true do out[l] := in[l]: expected at least one lane, found 0");
    CHECK(with({"k", 4}, {Truth{true}}) ==
          "lanes k < 4 do if true do out[l] := in[l]: unknown name \"l\"; expected a name in scope");
    CHECK(with({"l", 4}, var("l")) ==
          "lanes l < 4 do if l do out[l] := in[l]: expected a condition or a bool, found an index");
    CHECK(with({"out", 4}, {Truth{true}}) ==
          "lanes out < 4 do if true do out[l] := in[l]: \"out\" is not an array; expected one");
}

TEST_CASE("a prophecy mentions tensors, has the type of its write and reads no memory") {
    const auto with = [](Expr prophecy) { return checked({assign({"out", {n(0)}, std::move(prophecy), {}, one()})}); };
    const Expr tensor{TensorAccess{"A", {n(0)}, 0}};
    CHECK(with(tensor) == "sound");
    CHECK(with({Binary{value::BinaryOp::add, tensor, one()}}) == "sound");
    CHECK(with({Cast{Type::u8, tensor}}) == "out[0] {u8(A(0))} := 1i32: expected i32, found u8");
    CHECK(with({Binary{value::BinaryOp::logical_and, tensor, tensor}}) ==
          "out[0] {A(0) && A(0)} := 1i32: expected i32, found bool");
    CHECK(with(in(n(0))) ==
          "out[0] {in[0]} := 1i32: a prophecy cannot read memory; expected a tensor of the SARE, found array \"in\"");
    CHECK(checked({put(tensor)}) ==
          "out[0] := A(0): only a prophecy can read a tensor; expected an array and its indices in brackets");
}

TEST_CASE("an accumulation has an operator of its array's type and indices") {
    const auto with = [](value::ReductionOp op, std::vector<Expr> reduced) {
        return checked({assign({"out", {n(0)}, {}, Accumulation{op, std::move(reduced)}, one()})});
    };
    CHECK(with(value::ReductionOp::sum, {n(0), var("N")}) == "sound");
    CHECK(with(value::ReductionOp::max, {}) == "sound");
    CHECK(with(value::ReductionOp::logical_and, {}) ==
          "out[0] and= {} 1i32: operator and=: expected an array of a type that supports it, found i32");
    CHECK(with(value::ReductionOp::sum, {one()}) == "out[0] += {1i32} 1i32: expected an index, found i32");
    CHECK(checked({{Accumulate{"out", {}}}}) == "sound");
    CHECK(checked({{Accumulate{"t", {}}}}) == "accumulate t: unknown name \"t\"; expected a name in scope");
}

TEST_CASE("conditions on values and data-dependent bounds are beyond Fig. 4.7") {
    const Stmt on_value{If{is_one(in(n(0))), {}, {}}};
    const Stmt on_index{If{{Comparison{Relation::lt, var("N"), n(3)}}, {}, {}}};
    const Stmt bound{For{LoopKind::serial, "x", n(0), {IntegerOf{in(n(0))}}, {}}};
    CHECK(affine_check({on_index}) == "sound");
    CHECK(checked({on_value, bound}) == "sound");
    CHECK(affine_check({on_value}) == "if in[0] == 1i32: expected a condition, found bool");
    CHECK(affine_check({bound}) ==
          "for x in [0, int(in[0])): expected an affine expression, found the integer of a value");
    CHECK(affine_check({{Assert{is_one(in(n(0))), "message"}}}) ==
          "assert in[0] == 1i32 \"message\": expected a condition, found bool");
    CHECK(affine_check({{Assign{{}, is_one(in(n(0))), {write("out", {n(0)}, one())}}}}) ==
          "if in[0] == 1i32 do out[0] := 1i32: expected a condition, found bool");
    CHECK(checked({{If{n(3), {}, {}}}}) == "if 3: expected a condition or a bool, found an index");
    CHECK(checked({{For{LoopKind::parallel, "x", one(), n(3), {}}}}) ==
          "par x in [1i32, 1i32 + 3): expected an index, found i32");
}

TEST_CASE("the arrays of a program are over its parameters and hold tensors") {
    const auto with = [](Array array) { return checked({"s", {"N"}, {std::move(array)}, {}}); };
    const Array array{Role::input, "a", "a", 0, Type::i32, {{var("N")}}};
    CHECK(with(array) == "sound");
    auto changed = [&](auto&& change) {
        Array other = array;
        change(other);
        return with(other);
    };
    CHECK(changed([](Array& a) { a.tensor = ""; }) ==
          "array \"a\": expected the name of the tensor that \"a\" holds, found \"\"");
    CHECK(changed([](Array& a) { a.component = -1; }) == "array \"a\": expected a component of at least 0, found -1");
    CHECK(changed([](Array& a) { a.name = "N"; }) ==
          "array \"N\": the name \"N\" is already declared in this block; expected a new one");
    CHECK(changed([](Array& a) { a.name = "free"; }) == "array \"free\": expected a name, found \"free\"");
    CHECK(changed([](Array& a) { a.dimensions[0].extent = var("M"); }) ==
          "array \"a\": unknown name \"M\"; expected a name in scope");
    CHECK(changed([](Array& a) { a.dimensions[0].min = {Truth{true}}; }) ==
          "array \"a\": expected an index, found a condition");
    CHECK(changed([](Array& a) { a.dimensions.push_back({n(3), n(0), n(1)}); }) ==
          "array \"a\": expected a stride for every dimension or for none");
    CHECK(checked({"3", {}, {}, {}}) == "expected the program's name, found \"3\"");
    CHECK(checked({"for", {}, {}, {}}) == "sound");
    CHECK(checked({"s", {"N", "N"}, {}, {}}) == "the name \"N\" is already declared in this block; expected a new one");
}

TEST_CASE("statements that nest more than 256 deep are refused") {
    Block block{let("x")};
    for (int i = 1; i < 256; ++i) {
        Block around;
        around.push_back({Atomic{std::move(block)}});
        block = std::move(around);
    }
    CHECK(checked(block) == "sound");
    CHECK(!nests_too_deeply({"s", {}, {}, block}));
    CHECK(checked({{Atomic{block}}}) == "atomic: statements are nested too deeply; expected at most 256 levels");
    CHECK(nests_too_deeply({"s", {}, {}, {{Atomic{block}}}}));
    Expr sum = n(1);
    for (int i = 1; i < 256; ++i) { sum = {IndexBinary{IndexOp::add, std::move(sum), n(1)}}; }
    CHECK(!nests_too_deeply({"s", {}, {}, {let("x", sum)}}));
    CHECK(nests_too_deeply({"s", {}, {}, {let("x", {IndexBinary{IndexOp::add, n(1), sum}})}}));
}
