#include <tuple>

#include "oracle/validator/evaluation/expression.h"

#include "tests/oracle/validator/evaluation/rules.h"

// The values of expressions in a symbolic heap (thesis Fig. 5.1) and the cells that they read (Fig. 5.2).
namespace haruspex::validator {
namespace {

using value::BinaryOp;

// The value computed by the program's first assignment, in a heap and in the scope at the program's start.
class FirstValue {
public:
    explicit FirstValue(const std::string& expr) : rules("f[0] := " + expr + ";") {
        const auto& assign = std::get<sched::Assign>(rules.program().body.at(0).node);
        expr_ = assign.writes.at(0).value;
        signatures_ = {{"A", {{value::Type::i32}, 1}}};
    }

    bool is(const std::string& heap, const std::string& expected) {
        const Expressions expressions(rules.templates(), signatures_);
        const heap::Value found = expressions.evaluate(expr_, rules.scope(), rules.heap(heap));
        const isl::set context = rules.scope().context();
        return found.intersect_params(context).is_equal(rules.value(expected).intersect_params(context));
    }
    bool reads(const std::string& expected) {
        const Expressions expressions(rules.templates(), signatures_);
        heap::Locations all = heap::no_locations(rules.scope().ctx());
        for (const Read& read : expressions.reads(expr_, rules.scope()).of_memory) { all = all.unite(read.location); }
        const isl::set context = rules.scope().context();
        return all.intersect_params(context).is_equal(rules.value(expected).intersect_params(context));
    }
    std::size_t accesses() {
        return Expressions(rules.templates(), signatures_).reads(expr_, rules.scope()).of_memory.size();
    }

    Rules rules;

private:
    sched::Expr expr_;
    TensorSignatures signatures_;
};

const char* const inputs = "[N] -> { a[i] -> $A[i] : 0 <= i < N }";

TEST_CASE("Fig. 5.1: an index is itself, a literal is itself") {
    CHECK(FirstValue("i32<2*N + 1>").is("{ }", "[N] -> { $embed[2N + 1] }"));
    FirstValue seven("7i32");
    seven.rules.call("seven", seven.rules.literal(7));
    CHECK(seven.is("{ }", "{ $seven[] }"));
}

TEST_CASE("Fig. 5.1: a read is what the heap has there") {
    CHECK(FirstValue("a[N - 1]").is(inputs, "[N] -> { $A[N - 1] : N > 0; $uninit[] : N <= 0 }"));
    CHECK(FirstValue("a[N / 2]").is("[N] -> { a[i] -> $A[2i] : i >= 0 }", "[N] -> { $A[2*floor(N/2)] }"));
    CHECK(FirstValue("a[0]").is("[N] -> { a[0] -> $F[5] : N > 3; a[0] -> $G[6] : N <= 3 }",
                                "[N] -> { $F[5] : N > 3; $G[6] : N <= 3 }"));
}

TEST_CASE("A cell that is in no relation of the heap is Uninit") {
    CHECK(FirstValue("f[0]").is(inputs, "{ $uninit[] }"));
    CHECK(FirstValue("f[0]").is("[N] -> { f[0] -> $F[0] : N > 2 }", "[N] -> { $F[0] : N > 2; $uninit[] : N <= 2 }"));
}

TEST_CASE("Fig. 5.1: an operator is lifted to all combinations of what its operands are") {
    FirstValue sum("f[0] + f[1]");
    heap::Templates& templates = sum.rules.templates();
    const heap::Template f = sum.rules.cell("F"), g = sum.rules.cell("G");
    for (const auto& [name, a, b] : {std::tuple{"ff", f, f}, {"fg", f, g}, {"gf", g, f}, {"gg", g, g}}) {
        sum.rules.call(std::string("sum_") + name, templates.apply(BinaryOp::add, a, b));
    }
    CHECK(
        sum.is("[N] -> { f[0] -> $F[0] : N > 2; f[0] -> $G[0] : N <= 2; f[1] -> $F[1] : N > 4; f[1] -> $G[1] : N <= "
               "4 }",
               "[N] -> { $sum_ff[0, 1] : N > 4; $sum_fg[0, 1] : 2 < N <= 4; $sum_gg[0, 1] : N <= 2 }"));
}

TEST_CASE("Fig. 5.1: the thesis's b[i] + c[i], where the heap has c at twice the index") {
    FirstValue sum("f[N] + h[N, 0]");
    sum.rules.call("sum", sum.rules.templates().apply(BinaryOp::add, sum.rules.cell("F"), sum.rules.cell("G")));
    CHECK(sum.is("{ f[i] -> $F[i]; h[i, 0] -> $G[2i] }", "[N] -> { $sum[N, 2N] }"));
}

TEST_CASE("A read under a guard is Uninit where it does not hold, and reads nothing there") {
    FirstValue guarded("a[N - 4] ? (N > 3)");
    CHECK(guarded.is(inputs, "[N] -> { $A[N - 4] : N > 3; $uninit[] : N <= 3 }"));
    CHECK(guarded.reads("[N] -> { a[N - 4] : N > 3 }"));
}

TEST_CASE("A lane reduction folds its lanes in order, from the first") {
    FirstValue sum("sum lanes l < 3 of (a[2 - l])");
    const heap::Template a = sum.rules.cell("A");
    heap::Templates& templates = sum.rules.templates();
    sum.rules.call("sum", templates.apply(BinaryOp::add, templates.apply(BinaryOp::add, a, a), a));
    CHECK(sum.is("{ a[i] -> $A[i] }", "{ $sum[2, 1, 0] }"));
    CHECK(sum.reads("{ a[i] : 0 <= i < 3 }"));
}

TEST_CASE("A let in an expression is what it stands for") {
    CHECK(FirstValue("(let y = N - 1 in a[y])").is("{ a[i] -> $A[i] }", "[N] -> { $A[N - 1] }"));
    CHECK(FirstValue("(let y = N - 1 in a[y])").reads("[N] -> { a[N - 1] }"));
    FirstValue twice("(let v : i32 = a[3] in v + v)");
    twice.rules.call("sum", twice.rules.templates().apply(BinaryOp::add, twice.rules.cell("A"), twice.rules.cell("A")));
    CHECK(twice.is("{ a[i] -> $A[i] }", "{ $sum[3, 3] }"));
    CHECK(twice.reads("{ a[3] }"));
    // The inner v hides the outer one only in the body: the inner let's value refers to the outer v.
    FirstValue hidden("(let v : i32 = a[3] in let v : i32 = v + a[4] in v)");
    hidden.rules.call("sum",
                      hidden.rules.templates().apply(BinaryOp::add, hidden.rules.cell("A"), hidden.rules.cell("A")));
    CHECK(hidden.is("{ a[i] -> $A[i] }", "{ $sum[3, 4] }"));
}

TEST_CASE("A family of lanes is read at a lane") {
    FirstValue family("(let v[l < 4] : i32 = a[2*l] in v[3])");
    CHECK(family.is("{ a[i] -> $A[i] }", "{ $A[6] }"));
    CHECK(family.reads("{ a[0]; a[2]; a[4]; a[6] }"));
    CHECK(family.accesses() == 1);
    FirstValue crossed("(let v[l < 4] : i32 = a[l] in let w[l < 4] : i32 = v[3 - l] in w[0])");
    CHECK(crossed.is("{ a[i] -> $A[i] }", "{ $A[3] }"));
}

TEST_CASE("A select of values keeps its condition: it is eager") {
    FirstValue chosen("select(N > 2, a[0], f[0])");
    heap::Templates& templates = chosen.rules.templates();
    for (const bool truth : {false, true}) {
        const heap::Template condition = templates.literal(value::Value::boolean(truth));
        chosen.rules.call(truth ? "first" : "second",
                          templates.select(condition, chosen.rules.cell("A"), chosen.rules.cell("F")));
    }
    CHECK(chosen.is("{ a[i] -> $A[i]; f[i] -> $F[i] }", "[N] -> { $first[0, 0] : N > 2; $second[0, 0] : N <= 2 }"));
    CHECK(chosen.reads("{ a[0]; f[0] }"));
    // A select of indices is an index.
    CHECK(FirstValue("a[select(N > 2, 0, N)]").is("{ a[i] -> $A[i] }", "[N] -> { $A[0] : N > 2; $A[N] : N <= 2 }"));
}

TEST_CASE("Fig. 5.2: indices and literals read nothing, operators what their operands read") {
    CHECK(FirstValue("i32<N> + 3i32").reads("{ }"));
    CHECK(FirstValue("a[N] * f[1] + i32(h[0, N])").reads("[N] -> { a[N]; f[1]; h[0, N] }"));
}

TEST_CASE("Indices and conditions that depend on data are not supported") {
    for (const std::string body :
         {"f[int(a[0])] {F(0)} := a[0];", "if int(a[0]) = 1 { f[0] {F(0)} := a[0]; }", "f[N*N] {F(0)} := a[0];",
          "f[N / N] {F(0)} := a[0];", "if a[0] == 1i32 { f[0] {F(0)} := a[0]; }"}) {
        INFO(body);
        CHECK_THROWS_AS(Rules(body), Unsupported);
    }
}

TEST_CASE("Prophecies that do not fit are not supported") {
    for (const std::string prophecy : {"C(0)", "A(0, 0)", "A(0)[1]", "Z(0)", "A(0) + C(0)", "select(C(0), A(0), C(0))",
                                       "-C(0)", "select(A(0), A(0), A(0))"}) {
        INFO(prophecy);
        CHECK_THROWS_AS(Rules("f[0] {" + prophecy + "} := a[0];"), Unsupported);
    }
    CHECK(Rules("if N > 0 { f[0] {select(C(0), A(0), A(1))} := a[0]; }").breaks_nothing());
}

}  // namespace
}  // namespace haruspex::validator
