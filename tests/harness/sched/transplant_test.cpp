#include "harness/sched/transplant.h"
#include "generators/base/sizes.h"

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

#include "generators/base/overload.h"
#include "harness/sched/normal_form.h"
#include "harness/sched/text.h"
#include "tests/support/catch.h"

namespace haruspex::sched {
namespace {

Program program(const std::string& body) {
    const auto parsed =
        parse_program("sched p(W, s) {\n  input in : i32[W];\n  output f : i32[W];\n" + body + "}\n", "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    return *parsed;
}

// Parses an index, as the extent of a program's only loop.
Expr index(const std::string& text) {
    const Program p = program("for x in [0, " + text + ") { f[0] := 0i32; }\n");
    return std::get<For>(p.body.at(0).node).extent;
}

bool same(const std::string& a, const std::string& b) {
    Atoms atoms;
    NormalForms forms(atoms);
    return forms.of(index(a)) == forms.of(index(b));
}

std::string transplanted(const std::string& plain, const std::string& prophesied) {
    const auto result = transplant(program(plain), program(prophesied));
    return result ? print(*result) : std::string(name(result.error().part)) + ": " + result.error().statement;
}

}  // namespace

TEST_CASE("an assignment that changes nothing keeps its prophecy where both programs have it") {
    const std::string copy = "let v : i32 = f[0]; f[0] := v; f[1] := 2i32;\n";
    const std::string prophesied = "let v : i32 = f[0]; f[0] {F(0)} := v; f[1] {F(1)} := 2i32;\n";
    CHECK(transplanted(copy, prophesied).find("f[0] {F(0)} := v;") != std::string::npos);
    // One of the programs may lack the copy.
    CHECK(transplanted("f[1] := 2i32;\n", prophesied).find("f[1] {F(1)} := 2i32;") != std::string::npos);
    const std::string alone = transplanted(copy, "f[1] {F(1)} := 2i32;\n");
    CHECK(alone.find("f[0] := v;") != std::string::npos);
    CHECK(alone.find("f[1] {F(1)} := 2i32;") != std::string::npos);
    // A copy to another cell is a different write.
    CHECK(transplanted(copy, "f[3] {F(3)} := f[3]; f[1] {F(1)} := 2i32;\n").find("F(3)") == std::string::npos);
}

TEST_CASE("normal forms do not see the arithmetic of polynomials") {
    CHECK(same("W + s", "s + W"));
    CHECK(same("2 * (W + s) - W", "W + 2 * s"));
    CHECK(same("(W + 1) * (s + 1)", "s * W + W + s + 1"));
    CHECK(same("min(W, s) + 1", "min(s + 1, W + 1)"));
    CHECK(same("max(W + 3, W)", "W + 3"));
    CHECK(same("(4 * W + s) / 4", "s / 4 + W"));
    CHECK(same("(4 * W + s + 4) % 4", "s % 4"));
    CHECK(same("let t = W + 1 in t * 2", "2 * W + 2"));
    CHECK(same("select(W < s, 1, 2)", "select(s > W, 1, 2)"));
    CHECK(same("select(W < s, 1, 2)", "select(W + 1 <= s, 1, 2)"));
}

TEST_CASE("normal forms join minima, also those that a common summand hides") {
    CHECK(same("min(min(W, s), 7)", "min(s, min(7, W))"));
    CHECK(same("max(W, max(s, W + 2))", "max(W + 2, s)"));
    CHECK(same("min(2 * W, 2 * s) + 1", "2 * min(W, s) + 1"));
    CHECK(same("max(min(W, 4) + 1, 1) - min(W, 4)", "1 - min(W, 4) + max(min(W, 4), 0)"));
    CHECK_FALSE(same("min(W, max(s, 7))", "max(min(W, s), 7)"));
    CHECK_FALSE(same("min(W, s) - min(W, s + 1)", "0"));
}

TEST_CASE("normal forms of quotients and remainders by constants") {
    CHECK(same("(W / 2) / 3", "W / 6"));
    CHECK(same("(W / 2 + s) / 3", "(W + 2 * s) / 6"));
    CHECK(same("(4 * W + 2) / 8", "W / 2"));
    CHECK(same("W % 4", "W - W / 4 * 4"));
    CHECK(same("min(W, s) / 4", "min(W / 4, s / 4)"));
    CHECK(same("max(4 * W, s) / 4", "max(W, s / 4)"));
    CHECK_FALSE(same("(W + 1) / 2", "W / 2"));
    CHECK_FALSE(same("(4 * W + 6) / 8", "(4 * W + 2) / 8"));
    CHECK_FALSE(same("W / -2", "-(W / 2)"));
    CHECK_FALSE(same("W / s * s + W % s", "W + s"));
}

TEST_CASE("normal forms of conditions") {
    CHECK(same("select(not (W < s), 1, 2)", "select(s <= W, 1, 2)"));
    CHECK(same("select(W < s, 1, 2)", "select(s <= W, 2, 1)"));
    CHECK(same("select(W < s and W < 3, 1, 2)", "select(W < 3 and W < s, 1, 2)"));
    CHECK(same("select(not (W < s and W < 3), 1, 2)", "select(W >= 3 or W >= s, 1, 2)"));
    CHECK(same("select(2 * W < 5, 1, 2)", "select(W <= 2, 1, 2)"));
    CHECK(same("select(2 * W = 5, 1, 2)", "2"));
    CHECK(same("select(W = s, 1, 2)", "select(s != W, 2, 1)"));
    CHECK(same("select(W < s, W, 0)", "W * select(s > W, 1, 0)"));
    CHECK_FALSE(same("select(2 * W < 5, 1, 2)", "select(W <= 1, 1, 2)"));
    CHECK_FALSE(same("select(W < s or W < 3, 1, 2)", "select(W < s and W < 3, 1, 2)"));
}

TEST_CASE("values of i32 are indices") {
    CHECK(same("int(i32<W> + i32<s> * 2i32)", "W + 2 * s"));
    CHECK(same("int(min(in[0], i32<W>)) + 1", "1 + min(W, int(in[0]))"));
    CHECK(same("select(i32<W> < i32<s>, 1, 2)", "select(W < s, 1, 2)"));
    CHECK_FALSE(same("int(i16<W> + i16<s>)", "W + s"));
    CHECK_FALSE(same("int(in[0] + in[1])", "int(in[0] - in[1])"));
    CHECK_FALSE(same("int(in[0])", "int(in[1])"));
}

// Evaluates an index made by `random_index`.
std::int64_t evaluate(const Expr& expr, const Sizes& values) {
    const auto part = [&](const Box<Expr>& e) { return evaluate(*e, values); };
    return std::visit(
        Overload{
            [&](const Integer& n) { return n.value; }, [&](const Variable& n) { return values.at(n.name); },
            [&](const IndexBinary& n) {
                const std::int64_t a = part(n.a), b = part(n.b);
                switch (n.op) {
                    case IndexOp::add: return a + b;
                    case IndexOp::sub: return a - b;
                    case IndexOp::mul: return a * b;
                    case IndexOp::min: return std::min(a, b);
                    case IndexOp::max: return std::max(a, b);
                    // Divisors are positive.
                    case IndexOp::div: return (a - ((a % b) + b) % b) / b;
                    case IndexOp::mod: return ((a % b) + b) % b;
                }
                return std::int64_t{0};
            },
            [&](const Comparison& n) {
                const std::int64_t a = part(n.a), b = part(n.b);
                return std::int64_t{n.relation == Relation::lt ? a < b : n.relation == Relation::eq ? a == b : a >= b};
            },
            [&](const Not& n) { return 1 - part(n.a); },
            [&](const Select& n) { return part(n.condition) != 0 ? part(n.if_true) : part(n.if_false); },
            [&](const auto&) -> std::int64_t { throw std::logic_error("not made"); }},
        expr.node);
}

Expr random_index(std::mt19937& random, int depth) {
    const auto below = [&](std::uint32_t n) { return random() % n; };
    const auto next = [&] { return random_index(random, depth - 1); };
    if (depth == 0 || below(6) == 0) {
        if (below(3) == 0) { return Expr{Integer{static_cast<std::int64_t>(below(7)) - 3}}; }
        return Expr{Variable{below(2) == 0 ? "W" : "s"}};
    }
    switch (below(8)) {
        case 0: return Expr{IndexBinary{IndexOp::sub, next(), next()}};
        case 1: return Expr{IndexBinary{IndexOp::mul, Expr{Integer{static_cast<std::int64_t>(below(5)) - 2}}, next()}};
        case 2: return Expr{IndexBinary{IndexOp::min, next(), next()}};
        case 3: return Expr{IndexBinary{IndexOp::max, next(), next()}};
        case 4: return Expr{IndexBinary{IndexOp::div, next(), Expr{Integer{1 + static_cast<std::int64_t>(below(4))}}}};
        case 5: return Expr{IndexBinary{IndexOp::mod, next(), Expr{Integer{1 + static_cast<std::int64_t>(below(4))}}}};
        case 6: {
            const Relation relation = below(2) == 0 ? Relation::lt : below(2) == 0 ? Relation::eq : Relation::ge;
            Expr condition{Comparison{relation, next(), next()}};
            if (below(2) == 0) { condition = Expr{Not{std::move(condition)}}; }
            return Expr{Select{std::move(condition), next(), next()}};
        }
        default: return Expr{IndexBinary{IndexOp::add, next(), next()}};
    }
}

TEST_CASE("indices of one normal form are equal for all values") {
    std::mt19937 random(7);
    Atoms atoms;
    NormalForms forms(atoms);
    // Compares values at some points: equal ones may share a normal form, different ones must not.
    std::map<Polynomial, std::vector<std::int64_t>> seen;
    int repeated = 0;
    for (int i = 0; i < 60'000; ++i) {
        const Expr expr = random_index(random, 1 + i % 5);
        std::vector<std::int64_t> values;
        for (std::int64_t w = -5; w <= 5; ++w) {
            for (std::int64_t s = -5; s <= 5; ++s) { values.push_back(evaluate(expr, {{"W", w}, {"s", s}})); }
        }
        const auto [place, is_new] = seen.try_emplace(forms.of(expr), values);
        if (is_new) { continue; }
        ++repeated;
        if (place->second != values) { FAIL("one form for different indices, of which one is " << print(expr)); }
    }
    CHECK(repeated > 1000);
}

TEST_CASE("normal forms of different indices differ") {
    CHECK_FALSE(same("W + 1", "W"));
    CHECK_FALSE(same("W / 4", "s / 4"));
    CHECK_FALSE(same("(W + 1) / 4", "W / 4"));
    CHECK_FALSE(same("min(W, s)", "max(W, s)"));
    CHECK_FALSE(same("select(W < s, 1, 2)", "select(W <= s, 1, 2)"));
    CHECK_FALSE(same("W * s", "W + s"));
}

TEST_CASE("normal forms stay small however deep lets nest") {
    std::string nested = "W";
    for (int i = 0; i < 60; ++i) {
        nested = "let t" + std::to_string(i) + " = min(" + nested + ", s) in t" + std::to_string(i) + " * 2";
    }
    Atoms atoms;
    NormalForms forms(atoms);
    CHECK(forms.of(index(nested)).size() < 50);
    CHECK(atoms.size() < 200);
}

TEST_CASE("prophecies are transplanted modulo lets, names and arithmetic") {
    const std::string result = transplanted(R"(
  let t1 = W - 1;
  for x in [0, t1 + 1) {
    allocate tmp : i32[s];
    tmp[2 * x - x] := in[x];
    f[x] := tmp[x];
    free tmp;
  }
)",
                                            R"(
  for y in [0, W) {
    let t2 = y + s;
    allocate other : i32[s];
    other[t2 - s] {g.0(t2)} := in[y];
    f[y] {f(y, t2 - W)} := other[y];
    free other;
  }
)");
    CHECK(result.find("f[x] {let t2.p") != std::string::npos);
    CHECK(result.find("= x + s in f(x, ") != std::string::npos);
    CHECK(result.find("tmp[2*x - x]") != std::string::npos);
}

TEST_CASE("names of one program mean nothing in the other") {
    // Lanes of different lets, and different local arrays with the same name.
    const auto gather = [](const std::string& first, const std::string& second) {
        return "let v[l < 2] : i32 = in[l" + first + "];\nlet w[l < 2] : i32 = in[l" + second +
               "];\nlanes k < 2 do f[int(v[k])] {f(k)} := 1i32;\n";
    };
    CHECK(transplanted(gather("", " + 4"), gather("", " + 5")).find("{f(k)}") != std::string::npos);
    CHECK(transplanted(gather("", " + 4"), gather(" + 4", "")).starts_with("indices: "));
    const auto two = [](const std::string& read) {
        return "allocate a : i32[4]; allocate b : i32[4]; a[0] := 1i32; b[0] := 2i32; f[int(" + read +
               "[0])] {f(0)} := 1i32;\n";
    };
    CHECK(transplanted(two("a"), two("a")).find("{f(0)}") != std::string::npos);
    CHECK(transplanted(two("a"), two("b")).starts_with("indices: "));
    const std::string other =
        "allocate b : i32[4]; allocate a : i32[4]; b[0] := 1i32; a[0] := 2i32; "
        "f[int(b[0])] {f(0)} := 1i32;\n";
    CHECK(transplanted(two("a"), other).find("{f(0)}") != std::string::npos);
}

TEST_CASE("asserts and the places of frees may differ") {
    const std::string plain = "allocate a : i32[4]; a[0] := 1i32; f[0] := a[0]; f[1] := 2i32; free a;\n";
    const std::string other =
        "assert 0 < W \"positive\"; allocate b : i32[4]; b[0] := 1i32; f[0] {f(0)} := b[0]; "
        "free b; f[1] {f(1)} := 2i32;\n";
    const std::string result = transplanted(plain, other);
    CHECK(result.find("f[0] {f(0)}") != std::string::npos);
    CHECK(result.find("f[1] {f(1)} := 2i32;\n  free a;") != std::string::npos);
}

TEST_CASE("assignments that change nothing may be on one side only") {
    const std::string plain = "for x in [0, W) { f[x] := in[x]; }\n";
    const auto with = [&](const std::string& more) { return plain + more; };
    const auto result = [&](const std::string& more) { return transplanted(plain, with(more)); };
    CHECK(result("for x in [0, s) { f[x + 1] {f(x)} := f[1 + x]; }\n").starts_with("sched"));
    CHECK(result("let v : i32 = f[0]; f[0] {f(0)} := v;\n").starts_with("sched"));
    CHECK(result("if W < s { f[0] {f(0)} := f[0]; }\n").starts_with("sched"));
    CHECK(result("lanes l < 4 do if l < s do f[l] {f(l)} := f[l] ? (l < s);\n").starts_with("sched"));
    CHECK(result("for x in [0, s) { f[x + 1] {f(x)} := f[x]; }\n").starts_with("structure: "));
    CHECK(result("let x = W; for x in [0, s) { f[x] {f(x)} := f[W]; }\n").starts_with("structure: "));
    CHECK(result("lanes l < 4 do if l < s do f[l] {f(l)} := f[l] ? (l < W);\n").starts_with("structure: "));
    CHECK(result("f[0] {f(0)} += {0} f[0];\n").starts_with("structure: "));
}

TEST_CASE("lanes are matched by their count") {
    const std::string vector = "lanes l < 4 do f[l] := in[l];\n";
    CHECK(transplanted(vector, "lanes k < 4 do f[k] {f(k)} := in[k];\n").find("f[l] {f(l)}") != std::string::npos);
    CHECK(transplanted(vector, "lanes k < 8 do f[k] {f(k)} := in[k];\n").starts_with("structure: "));
}

TEST_CASE("branches and semaphores correspond, whatever semaphores are called") {
    const auto fork = [](const std::string& full, const std::string& units, const std::string& prophecy,
                         const std::string& taken) {
        return "semaphore " + full + " = 0; semaphore b = 0;\nfork { f[0] " + prophecy + ":= 1i32; release " + units +
               " of " + full + "; }\nand { acquire 1 of " + taken + "; }\n";
    };
    const std::string plain = fork("a", "W + 1", "", "a");
    CHECK(transplanted(plain, fork("c", "1 + W", "{f(0)} ", "c")).find("f[0] {f(0)} := 1i32") != std::string::npos);
    CHECK(transplanted(plain, fork("c", "1 + W", "{f(0)} ", "b")).starts_with("structure: acquire 1 of a"));
    CHECK(transplanted(plain, fork("a", "W", "{f(0)} ", "a")).starts_with("units: release W + 1 of a"));
    CHECK(transplanted(plain, "semaphore a = 1;\n").starts_with("units: semaphore a = 0"));
    CHECK(transplanted("fork { f[0] := 1i32; } and {}\n", "fork {} and { f[0] {f(0)} := 1i32; }\n")
              .starts_with("structure: f[0] := 1i32"));
}

TEST_CASE("where the programs part, nothing is transplanted and the kind of difference is told") {
    const std::string plain = "for x in [0, W) { if x < s { f[x] := in[x]; } }\n";
    CHECK(transplanted(plain, "for x in [1, W) { if x < s { f[x] {f(x)} := in[x]; } }\n").starts_with("bounds: for x"));
    CHECK(transplanted(plain, "for x in [0, W) { if x <= s { f[x] {f(x)} := in[x]; } }\n").starts_with("condition: "));
    CHECK(transplanted(plain, "for x in [0, W) { if x < s { f[x + 1] {f(x)} := in[x]; } }\n").starts_with("indices: "));
    CHECK(transplanted(plain, "for x in [0, W) { f[x] {f(x)} := in[x]; }\n").starts_with("structure: "));
    CHECK(transplanted(plain, "par x in [0, W) { if x < s { f[x] {f(x)} := in[x]; } }\n").starts_with("structure: "));
    CHECK(transplanted(plain, plain + "f[0] {f(0)} := 1i32;\n").starts_with("structure: "));
}

}  // namespace haruspex::sched
