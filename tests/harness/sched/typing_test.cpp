#include <optional>
#include <string>

#include "harness/sched/text.h"
#include "harness/sched/typing.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::sched;
using value::Type;

namespace {

constexpr auto index_type = ExprType{Kind::index};
constexpr auto condition_type = ExprType{Kind::condition};
constexpr ExprType of(Type type) { return {Kind::value, type}; }

// Variables x (𝔸) and c (𝔹), value-lets v : i32, b : bool and w[·] : f32, arrays a : i32[·, ·] and flag : bool[·].
const Scope scope{{{"x", Kind::index}, {"c", Kind::condition}},
                  {{"v", {Type::i32, false}}, {"b", {Type::boolean, false}}, {"w", {Type::f32, true}}},
                  {{"a", {Type::i32, 2}}, {"flag", {Type::boolean, 1}}}};

// The judgement's result: the type's name, or the error.
std::string judged(const Expr& expr, Rules rules = Rules::affine, Context context = Context::code) {
    const auto type = type_of(expr, scope, rules, context);
    return type ? to_string(*type) : "error: " + type.error().message;
}
std::string extended(const Expr& expr, Context context = Context::code) {
    return judged(expr, Rules::extended, context);
}
std::string in_prophecy(const Expr& expr) { return judged(expr, Rules::affine, Context::prophecy); }

Expr n(std::int64_t value) { return {Integer{value}}; }
Expr truth(bool value) { return {Truth{value}}; }
Expr var(const std::string& name) { return {Variable{name}}; }
Expr let_var(const std::string& name, std::optional<Box<Expr>> lane = {}) {
    return {ValueVariable{name, std::move(lane)}};
}
Expr op(IndexOp op, Expr a, Expr b) { return {IndexBinary{op, std::move(a), std::move(b)}}; }
Expr op(value::BinaryOp op, Expr a, Expr b) { return {Binary{op, std::move(a), std::move(b)}}; }
Expr compare(Relation relation, Expr a, Expr b) { return {Comparison{relation, std::move(a), std::move(b)}}; }
Expr number(Type type, std::int64_t v) { return {Literal{value::Value::integer(type, v)}}; }
Expr load(const std::string& array, std::vector<Expr> at, std::optional<Box<Expr>> guard = {}) {
    return {Load{array, std::move(at), std::move(guard)}};
}
Expr tensor(std::vector<Expr> at) { return {TensorAccess{"A", std::move(at), 0}}; }
Expr embed(Type type, Expr index) { return {Embed{type, std::move(index)}}; }
Expr denoted(Expr value) { return {IntegerOf{std::move(value)}}; }
Expr sum_lanes(std::int64_t count, Expr body) {
    Lanes lanes{"l", count};
    return {LaneReduce{value::ReductionOp::sum, std::move(lanes), std::move(body)}};
}
Expr let_family(const std::string& name, Expr value, Expr body) {
    Lanes lanes{"l", 2};
    return {LetValueIn{name, std::move(lanes), Type::i32, std::move(value), std::move(body)}};
}
Expr select(Expr c, Expr a, Expr b) { return {Select{std::move(c), std::move(a), std::move(b)}}; }
Expr let(const std::string& name, Expr value, Expr body) { return {LetIn{name, std::move(value), std::move(body)}}; }

}  // namespace

TEST_CASE("T-VAR") {
    CHECK(judged(var("x")) == "index");
    CHECK(judged(var("c")) == "condition");
    CHECK(in_prophecy(var("x")) == "index");
    CHECK(judged(let_var("v")) == "i32");
    CHECK(judged(let_var("w", n(3))) == "f32");
    CHECK(judged(var("y")) == "error: unknown name \"y\"; expected a name in scope");
    CHECK(judged(let_var("y")) == "error: unknown name \"y\"; expected a name in scope");
    CHECK(judged(var("v")) == "error: \"v\" is a value-let; expected a variable");
    CHECK(judged(var("a")) == "error: \"a\" is an array; expected indices in brackets after it");
    CHECK(judged(let_var("x")) == "error: \"x\" is not a value-let; expected one");
    CHECK(judged(let_var("w")) == "error: \"w\" has lanes; expected a lane in brackets");
    CHECK(judged(let_var("v", n(0))) == "error: \"v\" has no lanes; expected no brackets");
    CHECK(judged(let_var("w", truth(true))) == "error: expected an index, found a condition");
}

TEST_CASE("T-ARRAY") {
    CHECK(judged(load("a", {var("x"), n(0)})) == "i32");
    CHECK(judged(load("flag", {var("x")})) == "bool");
    CHECK(judged(load("a", {n(0), n(0)}, var("c"))) == "i32");
    CHECK(extended(load("a", {n(0), n(0)}, let_var("b"))) == "i32");
    CHECK(judged(load("a", {n(0)})) == "error: array \"a\": expected 2 indices, found 1");
    CHECK(judged(load("flag", {})) == "error: array \"flag\": expected 1 index, found 0");
    CHECK(judged(load("a", {n(0), truth(true)})) == "error: expected an index, found a condition");
    CHECK(judged(load("a", {n(0), number(Type::i32, 1)})) == "error: expected an index, found i32");
    CHECK(judged(load("a", {n(0), n(0)}, let_var("b"))) == "error: expected a condition, found bool");
    CHECK(judged(load("x", {n(0)})) == "error: \"x\" is not an array; expected one");
    CHECK(judged(load("unknown", {})) == "error: unknown name \"unknown\"; expected a name in scope");
    CHECK(in_prophecy(load("a", {n(0), n(0)})) ==
          "error: a prophecy cannot read memory; expected a tensor of the SARE, found array \"a\"");
}

TEST_CASE("T-TENSOR") {
    const Expr known = op(value::BinaryOp::add, tensor({var("x"), n(0)}), number(Type::i32, 1));
    CHECK(in_prophecy(known) == "i32");
    CHECK(in_prophecy({Cast{Type::u8, tensor({})}}) == "u8");
    CHECK(in_prophecy(op(value::BinaryOp::lt, tensor({}), tensor({n(1)}))) == "bool");
    CHECK(in_prophecy(tensor({})) ==
          "error: the type depends on a tensor's type, which is not known here; expected an expression that determines "
          "it");
    CHECK(in_prophecy(tensor({truth(true)})) == "error: expected an index, found a condition");
    CHECK(in_prophecy({TensorAccess{"A$", {}, 0}}) == "error: expected the name of a tensor, found \"A$\"");
    CHECK(in_prophecy({TensorAccess{"A", {}, -1}}) == "error: expected a component of at least 0, found -1");
    CHECK(judged(known) == "error: only a prophecy can read a tensor; expected an array and its indices in brackets");
    CHECK(in_prophecy(op(value::BinaryOp::logical_and, known, tensor({}))) ==
          "error: operator &&: expected two values of the same type, found i32 and a tensor's value");
}

TEST_CASE("T-BOOL") {
    CHECK(judged(truth(true)) == "condition");
    CHECK(in_prophecy(truth(false)) == "condition");
    CHECK(judged({Literal{value::Value::boolean(true)}}) ==
          "error: expected a literal of a defined number, found true");
}

TEST_CASE("T-INT") {
    CHECK(judged(n(-7)) == "index");
    CHECK(in_prophecy(n(0)) == "index");
    CHECK(judged(op(value::BinaryOp::add, number(Type::i32, 1), n(1))) ==
          "error: operator +: expected two indices, or two values of the same type, found i32 and an index");
}

TEST_CASE("T-CALL") {
    using enum value::BinaryOp;
    CHECK(judged(op(add, number(Type::i32, 1), load("a", {n(0), n(0)}))) == "i32");
    CHECK(judged(op(lt, number(Type::u8, 1), number(Type::u8, 2))) == "bool");
    CHECK(judged({Unary{value::UnaryOp::absolute, let_var("v")}}) == "u32");
    CHECK(judged({Cast{Type::f64, let_var("v")}}) == "f64");
    CHECK(judged({Literal{value::Value::f32(0.5F)}}) == "f32");
    CHECK(judged(embed(Type::i8, var("x"))) == "i8");
    CHECK(judged({Guard{var("c")}}) == "bool");
    CHECK(judged(sum_lanes(4, let_var("w", var("l")))) == "f32");
    CHECK(in_prophecy(op(mul, tensor({}), number(Type::f32, 2))) == "f32");
    CHECK(judged(op(add, number(Type::i32, 1), number(Type::i8, 1))) ==
          "error: operator +: expected two values of the same type, which must support the operator, found i32 and i8");
    CHECK(judged(op(logical_or, var("c"), let_var("b"))) ==
          "error: operator ||: expected two values of the same type, found a condition and bool");
    CHECK(judged({Unary{value::UnaryOp::logical_not, let_var("v")}}) ==
          "error: operator !: expected a bool, found i32");
    CHECK(judged({Unary{value::UnaryOp::negate, var("x")}}) == "error: operator -: expected a value, found an index");
    CHECK(judged({Cast{Type::f64, var("x")}}) == "error: a cast to f64: expected a value, found an index");
    CHECK(judged({Literal{value::Value::undef(Type::i32)}}) ==
          "error: expected a literal of a defined number, found undef_i32");
    CHECK(judged(embed(Type::boolean, var("x"))) ==
          "error: an index cannot become a bool; expected a numeric type, or a condition in brackets");
    CHECK(judged(embed(Type::i32, var("c"))) == "error: expected an index, found a condition");
    CHECK(judged({Guard{var("x")}}) == "error: expected a condition in brackets, found an index");
    CHECK(judged(sum_lanes(4, let_var("b"))) ==
          "error: reduction sum: expected a body of a type that supports the operator, found bool");
    CHECK(judged(sum_lanes(0, let_var("v"))) == "error: expected at least one lane, found 0");
}

TEST_CASE("T-SELECT") {
    CHECK(judged(select(var("c"), var("x"), n(0))) == "index");
    CHECK(judged(select(var("c"), truth(true), var("c"))) == "condition");
    CHECK(judged(select(var("c"), let_var("v"), number(Type::i32, 0))) == "i32");
    CHECK(in_prophecy(select(var("c"), tensor({}), number(Type::i32, 0))) == "i32");
    CHECK(extended(select(let_var("b"), var("x"), n(0))) == "index");
    CHECK(judged(select(let_var("b"), var("x"), n(0))) == "error: select: expected a condition, found bool");
    CHECK(extended(select(var("x"), var("x"), n(0))) ==
          "error: select: expected a condition or a bool, found an index");
    CHECK(judged(select(var("c"), var("x"), let_var("v"))) ==
          "error: select: expected two alternatives of the same type, found an index and i32");
}

TEST_CASE("T-LET") {
    CHECK(judged(let("y", n(3), op(IndexOp::add, var("y"), var("x")))) == "index");
    CHECK(judged(let("y", var("c"), let("z", n(1), {Guard{var("y")}}))) == "bool");
    CHECK(judged(let("v", n(3), var("v"))) == "index");
    CHECK(in_prophecy(let("y", n(3), op(value::BinaryOp::add, tensor({var("y")}), number(Type::u8, 1)))) == "u8");
    CHECK(judged(let("y", let_var("v"), var("y"))) == "error: expected an index or a condition, found i32");
    CHECK(judged(let("y", var("y"), n(0))) == "error: unknown name \"y\"; expected a name in scope");
    CHECK(judged(op(IndexOp::add, let("y", n(3), var("y")), var("y"))) ==
          "error: unknown name \"y\"; expected a name in scope");
    CHECK(judged(let("for", n(3), n(3))) == "error: expected a name, found \"for\"");
    CHECK(extended(let("y", denoted(load("a", {n(0), n(0)})), var("y"))) ==
          "error: expected an expression that does not read memory, found a read of \"a\"");
    // A value-let in an expression binds a value, or with lanes a family of values.
    CHECK(judged({LetValueIn{"y", {}, Type::i32, load("a", {n(0), n(0)}), let_var("y")}}) == "i32");
    CHECK(judged(let_family("y", embed(Type::i32, var("l")), let_var("y", n(0)))) == "i32");
    CHECK(judged({LetValueIn{"y", {}, Type::u8, let_var("v"), let_var("y")}}) == "error: expected u8, found i32");
    CHECK(judged(let_family("y", let_var("v"), embed(Type::i32, var("l")))) ==
          "error: unknown name \"l\"; expected a name in scope");
}

TEST_CASE("T-ADD") {
    for (const IndexOp add : {IndexOp::add, IndexOp::sub, IndexOp::min, IndexOp::max}) {
        CHECK(judged(op(add, var("x"), op(add, n(1), var("x")))) == "index");
    }
    CHECK(judged(op(IndexOp::add, var("x"), var("c"))) ==
          "error: operator +: expected two indices, or two values of the same type, found an index and a condition");
    CHECK(judged(op(IndexOp::min, let_var("v"), var("x"))) ==
          "error: operator min: expected two indices, or two values of the same type, found i32 and an index");
}

TEST_CASE("T-MUL") {
    CHECK(judged(op(IndexOp::mul, n(-3), var("x"))) == "index");
    CHECK(judged(op(IndexOp::mul, var("x"), n(3))) == "index");
    CHECK(extended(op(IndexOp::mul, var("x"), var("x"))) == "index");
    CHECK(judged(op(IndexOp::mul, var("x"), var("x"))) ==
          "error: a product of two indices is not affine; expected an integer as one factor");
    CHECK(judged(op(IndexOp::mul, n(3), var("c"))) ==
          "error: operator *: expected two indices, or two values of the same type, found an index and a condition");
}

TEST_CASE("T-DIV") {
    CHECK(judged(op(IndexOp::div, var("x"), n(3))) == "index");
    CHECK(extended(op(IndexOp::div, var("x"), n(-3))) == "index");
    CHECK(extended(op(IndexOp::div, var("x"), var("x"))) == "index");
    const std::string positive = "error: other divisors are not affine; expected a positive integer";
    CHECK(judged(op(IndexOp::div, var("x"), n(0))) == positive);
    CHECK(judged(op(IndexOp::div, var("x"), n(-3))) == positive);
    CHECK(judged(op(IndexOp::div, n(3), var("x"))) == positive);
    CHECK(extended(op(IndexOp::div, var("c"), n(3))) ==
          "error: operator /: expected two indices, or two values of the same type, found a condition and an index");
}

TEST_CASE("T-MOD") {
    CHECK(judged(op(IndexOp::mod, var("x"), n(3))) == "index");
    CHECK(extended(op(IndexOp::mod, var("x"), var("x"))) == "index");
    CHECK(judged(op(IndexOp::mod, var("x"), n(0))) ==
          "error: other divisors are not affine; expected a positive integer");
    CHECK(judged(op(IndexOp::mod, var("x"), truth(true))) ==
          "error: operator %: expected two indices, or two values of the same type, found an index and a condition");
}

TEST_CASE("T-CMP") {
    for (const Relation relation :
         {Relation::lt, Relation::le, Relation::eq, Relation::ne, Relation::gt, Relation::ge}) {
        CHECK(judged(compare(relation, var("x"), n(0))) == "condition");
    }
    CHECK(judged(compare(Relation::eq, var("c"), truth(true))) == "condition");
    CHECK(judged(compare(Relation::ne, var("c"), truth(true))) == "condition");
    CHECK(judged(compare(Relation::lt, var("c"), truth(true))) ==
          "error: operator <: expected two indices, found a condition and a condition");
    CHECK(judged(compare(Relation::eq, var("c"), var("x"))) ==
          "error: operator =: expected two indices or two conditions, found a condition and an index");
    CHECK(judged(compare(Relation::le, let_var("v"), let_var("v"))) ==
          "error: operator <=: expected two indices, found i32 and i32");
}

TEST_CASE("T-AND") {
    CHECK(judged({And{var("c"), compare(Relation::lt, var("x"), n(3))}}) == "condition");
    CHECK(judged({Or{var("c"), truth(false)}}) == "condition");
    CHECK(judged({And{var("c"), var("x")}}) ==
          "error: operator and: expected two conditions, found a condition and an index");
    CHECK(judged({Or{let_var("b"), var("c")}}) ==
          "error: operator or: expected two conditions, found bool and a condition");
}

TEST_CASE("T-NOT") {
    CHECK(judged({Not{var("c")}}) == "condition");
    CHECK(judged({Not{var("x")}}) == "error: operator not: expected a condition, found an index");
    CHECK(judged({Not{let_var("b")}}) == "error: operator not: expected a condition, found bool");
}

TEST_CASE("an integer or a truth that a value stands for is none of Fig. 4.7's") {
    CHECK(extended(denoted(let_var("v"))) == "index");
    CHECK(extended(denoted(let_var("b"))) == "condition");
    CHECK(extended(denoted(load("a", {denoted(let_var("v")), n(0)}))) == "index");
    CHECK(extended(compare(Relation::eq, denoted(tensor({})), n(0)), Context::prophecy) == "condition");
    CHECK(extended({And{denoted(tensor({})), var("c")}}, Context::prophecy) == "condition");
    CHECK(judged(denoted(let_var("v"))) == "error: expected an affine expression, found the integer of a value");
    CHECK(extended(denoted(let_var("w", n(0)))) == "error: int: expected an integer or a bool, found f32");
    CHECK(extended(denoted(var("x"))) == "error: int: expected an integer or a bool, found an index");
}

TEST_CASE("trees that nest more than 256 deep are refused") {
    Expr deep = var("x");
    for (int i = 1; i < 256; ++i) { deep = op(IndexOp::add, std::move(deep), n(1)); }
    CHECK(judged(deep) == "index");
    CHECK(judged(op(IndexOp::add, n(1), deep)) ==
          "error: expressions are nested too deeply; expected at most 256 levels");
}
