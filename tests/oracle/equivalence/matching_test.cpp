#include "tests/oracle/equivalence/programs.h"

// Operators whose operands may be reordered.
namespace haruspex::equivalence {
namespace {

std::string three(const std::string& type, const std::string& expression) {
    return "sare three(N) assuming N >= 1 { input a : " + type + "[1] input b : " + type + "[1] input c : " + type +
           "[1] f(x) = " + expression + " output f on { [x] : 0 <= x < N } }";
}
std::string assigned(const std::string& type, const std::string& body) {
    return "sched three(N) { input a : " + type + "[N]; input b : " + type + "[N]; input c : " + type +
           "[N]; output f : " + type + "[N]; for x in [0, N) { " + body + " } }";
}

TEST_CASE("operands change places only of operators that are named") {
    const std::string sum = three("i32", "a(x) + b(x) * c(x)");
    const std::string commuted = assigned("i32", "f[x] := c[x] * b[x] + a[x];");
    CHECK_FALSE(is_proved(verdict_of(sum, commuted)));
    CHECK_FALSE(is_proved(verdict_of(sum, commuted, "add")));
    CHECK(is_proved(verdict_of(sum, commuted, "add,mul")));
    CHECK_FALSE(is_proved(verdict_of(sum, assigned("i32", "f[x] := a[x] * b[x] + c[x];"), "add,mul")));
    CHECK_FALSE(is_proved(verdict_of(three("i32", "a(x) - b(x)"), assigned("i32", "f[x] := b[x] - a[x];"), "add,mul")));
}

TEST_CASE("a comparison may be turned around, without being named") {
    for (const std::string type : {"i32", "f32"}) {
        const auto compares = [&](const std::string& comparison, const std::string& as) {
            return is_proved(verdict_of(three(type, "select(" + comparison + ", a(x), c(x))"),
                                        assigned(type, "f[x] := select(" + as + ", a[x], c[x]);")));
        };
        CHECK(compares("a(x) > b(x)", "b[x] < a[x]"));
        CHECK(compares("a(x) <= b(x)", "b[x] >= a[x]"));
        CHECK_FALSE(compares("a(x) > b(x)", "a[x] < b[x]"));
        CHECK_FALSE(compares("a(x) > b(x)", "b[x] <= a[x]"));
    }
}

TEST_CASE("sums are re-associated where they wrap around, through memory too") {
    const std::string body = "allocate t : TYPE[]; t[] := c[x] + a[x]; f[x] := b[x] + t[];";
    const auto of = [&](const std::string& type) {
        return assigned(type, std::string(body).replace(body.find("TYPE"), 4, type));
    };
    CHECK(is_proved(verdict_of(three("u16", "a(x) + b(x) + c(x)"), of("u16"), "add")));
    CHECK_FALSE(is_proved(verdict_of(three("u16", "a(x) + b(x) + c(x)"), of("u16"))));
    CHECK_FALSE(is_proved(verdict_of(three("u16", "a(x) + b(x) + b(x)"), of("u16"), "add")));
    // Another order may overflow, or round.
    const Verdict wide = verdict_of(three("i32", "a(x) + b(x) + c(x)"), of("i32"), "add");
    CHECK_FALSE(is_proved(wide));
    CHECK(wide.notes == std::vector<std::string>{"add i32 is commutative, but not associative: not flattened"});
    CHECK_FALSE(is_proved(verdict_of(three("f32", "a(x) + b(x) + c(x)"), of("f32"), "add")));
}

TEST_CASE("no other order is tried where the one that is written will do") {
    const std::string sum = three("u16", "a(x) + b(x) + c(x)");
    const Verdict plain = verdict_of(sum, assigned("u16", "f[x] := a[x] + b[x] + c[x];"), "add");
    CHECK(is_proved(plain));
    CHECK(plain.effort.permutations == 0);
    const Verdict other = verdict_of(sum, assigned("u16", "f[x] := c[x] + (a[x] + b[x]);"), "add");
    CHECK(is_proved(other));
    CHECK(other.effort.permutations > 0);
}

TEST_CASE("floats are re-associated when they are exact reals") {
    Options options = with("add,max");
    const auto is_proved_of = [&](const std::string& expression, const std::string& body) {
        return is_proved(check(sare_of(three("f32", expression)), program_of(assigned("f32", body)), options));
    };
    const auto are_regrouped = [&] { return is_proved_of("a(x) + b(x) + c(x)", "f[x] := b[x] + (c[x] + a[x]);"); };
    const auto change_places = [&] { return is_proved_of("max(a(x), b(x))", "f[x] := max(b[x], a[x]);"); };
    CHECK_FALSE(are_regrouped());
    CHECK_FALSE(change_places());
    options.exact_reals = true;
    CHECK(are_regrouped());
    CHECK(change_places());
    CHECK_FALSE(is_proved_of("a(x) + b(x) + c(x)", "f[x] := b[x] + (c[x] + b[x]);"));
    CHECK_FALSE(is_proved_of("a(x) / b(x)", "f[x] := b[x] / a[x];"));
}

TEST_CASE("which order of the operands fits may depend on the iteration") {
    const std::string greatest = three("u8", "max(max(a(x), b(x)), c(x))");
    CHECK(is_proved(verdict_of(
        greatest,
        assigned("u8",
                 "if x % 2 = 0 { f[x] := max(c[x], max(a[x], b[x])); } else { f[x] := max(b[x], max(c[x], a[x])); }"),
        "max")));
    const Verdict half = verdict_of(
        greatest,
        assigned("u8",
                 "if x % 2 = 0 { f[x] := max(c[x], max(a[x], a[x])); } else { f[x] := max(b[x], max(c[x], a[x])); }"),
        "max");
    CHECK_FALSE(is_proved(half));
    CHECK(half.outputs.at(0).proved != half.outputs.at(0).requested);
    CHECK(half.outputs.at(0).proved.find("mod") != std::string::npos);
}

TEST_CASE("a recurrence is unrolled as far as the other side has more operands") {
    const std::string sum = R"(
        sare total(N) assuming N >= 1 {
          input a : u32[1]
          f() = 0u32
          update f() = f() + a(k) over k in [0, 2*N)
          output f on { [] : true }
        })";
    const auto program = [](const std::string& step) {
        return "sched total(N) { input a : u32[2*N]; output f : u32[]; f[] := 0u32; for y in [0, N) { f[] := " + step +
               "; } }";
    };
    CHECK(is_proved(verdict_of(sum, program("f[] + (a[2*y] + a[2*y + 1])"), "add")));
    CHECK_FALSE(is_proved(verdict_of(sum, program("f[] + (a[2*y] + a[2*y + 1])"))));
    CHECK_FALSE(is_proved(verdict_of(sum, program("f[] + (a[2*y] + a[2*y])"), "add")));
}

}  // namespace
}  // namespace haruspex::equivalence
