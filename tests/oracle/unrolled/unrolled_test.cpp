#include "oracle/unrolled/unrolled.h"

#include <algorithm>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "harness/mutants/sched/mutations.h"
#include "harness/sched/text.h"
#include "harness/sched/typing.h"
#include "harness/transform/random_program.h"
#include "tests/support/catch.h"
#include "tests/support/litmus.h"

namespace haruspex::unrolled {
namespace {

using validator::Inputs;
using validator::Outcome;

Options few_steps() {
    Options options;
    options.most_steps = 300'000;
    options.effort.rlimit = 200'000;
    return options;
}

bool is_shown_wrong(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes, bool exact_reals) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        for (const auto style : {Inputs::Style::small, Inputs::Style::extreme, Inputs::Style::wide}) {
            if (exact_reals && style != Inputs::Style::small) { continue; }
            if (validator::replay(sare, program, sizes, {style, seed, {}}, 300'000).is_wrong) { return true; }
        }
    }
    return false;
}

std::optional<Sizes> random_sizes(const sare::Sare& sare, Choices& choices) {
    for (int attempt = 0; attempt < 40; ++attempt) {
        Sizes sizes;
        for (const std::string& parameter : sare.parameters) { sizes[parameter] = choices.integer(0, 11); }
        if (sare::try_evaluate(sare.assumptions, sizes) == true) { return sizes; }
    }
    return std::nullopt;
}

validator::Verdict verdict_on(const std::string& sare, const std::string& program, const Sizes& sizes,
                              const Options& options = {}) {
    const auto specification = sare::parse_sare(sare, "test");
    if (!specification) { FAIL(to_string(specification.error())); }
    const auto parsed = sched::parse_program(program, "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    return validate(*specification, *parsed, sizes, options);
}

// The outcome for a program that copies the first cell of `a` to `cells` cells of `f`.
Outcome outcome_of_copies(int cells, const std::string& body) {
    const std::string count = std::to_string(cells);
    return verdict_on(
               "sare copies(N) assuming N >= 1 {\n  input A : i32[1]\n  F(x) = A(0)\n"
               "  output F on { [x] : 0 <= x < " +
                   count + " }\n}\n",
               "sched copies(N) {\n  input a for A : i32[1];\n  output f for F : i32[" + count + "];\n" + body + "}\n",
               {{"N", 1}})
        .outcome;
}

validator::Verdict verdict_in_reals(const std::string& sare, const std::string& program, const Sizes& sizes) {
    Options options;
    options.floats = validator::Floats::real;
    return verdict_on(sare, program, sizes, options);
}

Outcome outcome_in_reals(const std::string& sare, const std::string& program, const Sizes& sizes) {
    return verdict_in_reals(sare, program, sizes).outcome;
}

}  // namespace

TEST_CASE("a prophecy whose indices no program can compute is none, also where a let hides that") {
    const std::string sare =
        "sare s(N) assuming N >= 1 {\n  input A : u8[1]\n  F(x) = A(x)\n"
        "  output F on { [x] : 0 <= x < N }\n}\n";
    for (const std::string prophecy : {"F(int(A(x)))", "let z = int(A(x)) in F(z)", "let z = int(A(9)) in F(x)"}) {
        INFO(prophecy);
        CHECK(verdict_on(sare,
                         "sched s(N) {\n  input a for A : u8[N];\n  output f for F : u8[N];\n"
                         "  for x in [0, N) { f[x] {" +
                             prophecy + "} := a[x]; }\n}\n",
                         {{"N", 3}})
                  .outcome == Outcome::validated);
    }
}

TEST_CASE("litmus programs at each of their sizes: right ones are validated, wrong ones never where they are wrong") {
    int put = 0, validated = 0, refuted = 0, right = 0;
    for (const auto& path : test::litmus_files()) {
        const auto litmus = test::read_litmus(path);
        REQUIRE(litmus);
        // Sums in any order are not decided here.
        if (litmus->floats == test::Litmus::Float::abstract || litmus->sums_fit) { continue; }
        Options options = few_steps();
        const bool exact_reals = litmus->floats == test::Litmus::Float::real;
        options.floats = exact_reals ? validator::Floats::real : validator::Floats::ieee;
        const auto sizes = test::combinations(litmus->sizes);
        for (std::size_t k = 0; k < sizes.size(); k += sizes.size() / 4 + 1) {
            if (sare::try_evaluate(litmus->specification.assumptions, sizes[k]) != true) { continue; }
            const auto verdict = validate(litmus->specification, litmus->program, sizes[k], options);
            INFO(litmus->name << ", sizes number " << k << ": " << reason(verdict));
            ++put;
            validated += verdict.outcome == Outcome::validated ? 1 : 0;
            refuted += verdict.outcome == Outcome::refuted ? 1 : 0;
            if (litmus->verdict == test::Litmus::Verdict::validated) {
                CHECK(verdict.outcome != Outcome::refuted);
                const bool is_vacuous = verdict.obligation == validator::Kind::vacuous;
                right += verdict.outcome == Outcome::validated || is_vacuous ? 1 : 0;
                CHECK((verdict.outcome == Outcome::validated || is_vacuous || verdict.outcome == Outcome::unsupported));
            }
            if (verdict.outcome == Outcome::validated) {
                CHECK_FALSE(is_shown_wrong(litmus->specification, litmus->program, sizes[k], exact_reals));
            }
        }
    }
    CHECK(put > 500);
    CHECK(validated > 250);
    CHECK(refuted > 150);
    CHECK(right > 200);
}

TEST_CASE("random right programs are validated at random sizes, wrong mutations of them are not") {
    int right = 0, validated = 0, wrong = 0, refuted = 0;
    for (std::uint64_t index = 0; index < 60; ++index) {
        Choices choices(random_source(derive_seed(417, index)));
        const transform::RandomProgram drawn = transform::random_program(choices);
        const auto sizes = random_sizes(drawn.sare, choices);
        if (!sizes) { continue; }
        const auto verdict = validate(drawn.sare, drawn.program, *sizes, few_steps());
        INFO("program " << index << ": " << reason(verdict));
        ++right;
        CHECK(verdict.outcome != Outcome::refuted);
        validated += verdict.outcome == Outcome::validated || verdict.obligation == validator::Kind::vacuous ? 1 : 0;
        const auto mutations = mutants::sched::mutations(drawn.program);
        for (int attempt = 0; attempt < 4 && !mutations.empty(); ++attempt) {
            const auto k =
                static_cast<std::size_t>(choices.integer(0, static_cast<std::int64_t>(mutations.size()) - 1));
            const sched::Program mutated = mutants::sched::apply(drawn.program, mutations[k]);
            if (!sched::check(mutated, sched::Rules::extended)) { continue; }
            if (!is_shown_wrong(drawn.sare, mutated, *sizes, false)) { continue; }
            ++wrong;
            const auto against = validate(drawn.sare, mutated, *sizes, few_steps());
            INFO("mutation " << k << ": " << reason(against));
            CHECK(against.outcome != Outcome::validated);
            refuted += against.outcome == Outcome::refuted ? 1 : 0;
        }
    }
    CHECK(right > 50);
    CHECK(validated >= right - 1);
    CHECK(wrong > 60);
    CHECK(refuted >= wrong - 1);
}

namespace {

const std::string sums =
    "sare sums(N) assuming N >= 1 {\n  input A : u32[1]\n  S(k) = 0u32 if k < 0\n  S(k) = S(k - 1) + A(k) if k >= 0\n"
    "  F(x) = S(N - 1) + A(x)\n  output F on { [x] : 0 <= x < N }\n}\n";

}  // namespace

TEST_CASE("a sum in another order, with prophecies that are missing or wrong, is validated all the same") {
    for (const std::string prophecy : {"", "{S(k)}", "{S(7 - k)}", "{A(k)}", "{F(k)}"}) {
        INFO(prophecy);
        const auto verdict = verdict_on(sums,
                                        "sched sums(N) {\n  input a for A : u32[N];\n  output f for F : u32[N];\n"
                                        "  allocate s : u32[1];\n  s[0] {S(-1)} := 0u32;\n  for k in [0, N) { s[0] " +
                                            prophecy +
                                            " := a[N - 1 - k] + s[0]; }\n"
                                            "  for x in [0, N) { f[x] {F(x)} := s[0] + a[x]; }\n}\n",
                                        {{"N", 9}});
        CHECK(reason(verdict) == "for the given sizes");
        CHECK(verdict.outcome == Outcome::validated);
    }
}

TEST_CASE("iterations and lanes that write one cell have to agree for all inputs, not for those of a run") {
    const std::string copies =
        "sare copies(N) assuming N >= 1 {\n  input A : u8[1]\n  F() = min(A(0), 200u8)\n  output F on { [] : true "
        "}\n}\n";
    const auto program = [](const std::string& body) {
        return "sched copies(N) {\n  input a for A : u8[2];\n  output f for F : u8[];\n" + body + "}\n";
    };
    // On small inputs both iterations write the same value.
    const auto agrees = verdict_on(copies, program("par i in [0, 2) { f[] {F()} := min(a[0], 200u8); }"), {{"N", 1}});
    CHECK(agrees.outcome == Outcome::validated);
    const auto differs =
        verdict_on(copies, program("par i in [0, 2) { f[] {F()} := min(a[0], u8<200 + i>); }"), {{"N", 1}});
    CHECK(differs.outcome != Outcome::validated);
    const auto lanes = verdict_on(copies, program("lanes l < 2 do f[] {F()} := min(a[0], u8<200 + l>);"), {{"N", 1}});
    CHECK(lanes.outcome != Outcome::validated);
}

TEST_CASE("an iteration that writes a cell and another one that updates it atomically are not in order") {
    const auto outcome = [](const std::string& body) { return outcome_of_copies(1, body); };
    // On small inputs both write the same value.
    const std::string update = "atomic { f[0] := min(a[0], 100i32); }", write = "f[0] {F(0)} := a[0];";
    CHECK(outcome("  par i in [0, 2) { if i < 1 { " + update + " } else { " + write + " } }\n") != Outcome::validated);
    CHECK(outcome("  par i in [0, 2) { if i < 1 { " + write + " } else { " + update + " } }\n") != Outcome::validated);
    CHECK(outcome("  par i in [0, 2) { par j in [0, 2) { if i + j < 1 { " + write + " } else { " + update +
                  " } } }\n") != Outcome::validated);
    CHECK(outcome("  for i in [0, 2) { if i < 1 { " + update + " } else { " + write + " } }\n") == Outcome::validated);
    CHECK(outcome("  par i in [0, 1) { " + update + " " + write + " }\n") == Outcome::validated);
}

TEST_CASE("what an iteration frees may be what another one reads") {
    const auto outcome = [](const std::string& body) { return outcome_of_copies(2, body); };
    const std::string shared = "  allocate t : i32[1];\n  t[0] := a[0];\n  f[1] := a[0];\n";
    CHECK(outcome(shared + "  par i in [0, 2) { if i < 1 { f[0] := t[0]; } else { free t; } }\n") !=
          Outcome::validated);
    CHECK(outcome(shared + "  for i in [0, 2) { if i < 1 { f[0] := t[0]; } else { free t; } }\n") ==
          Outcome::validated);
    CHECK(outcome("  par i in [0, 2) { allocate t : i32[1]; t[0] := a[0]; f[i] := t[0]; free t; }\n") ==
          Outcome::validated);
}

TEST_CASE("a lane's second write to a cell counts as well") {
    const auto verdict = verdict_on(
        "sare lanes(N) assuming N >= 1 {\n  input A : u8[1]\n  F(x) = A(0) if x = 0\n"
        "  F(x) = min(A(0), 200u8) if x > 0\n  output F on { [x] : 0 <= x < 2 }\n}\n",
        "sched lanes(N) {\n  input a for A : u8[1];\n  output f for F : u8[2];\n"
        "  lanes l < 2 do f[0] {F(0)} := a[0], f[l] := min(a[0], 200u8);\n}\n",
        {{"N", 1}});
    CHECK(verdict.outcome != Outcome::validated);
}

TEST_CASE("iterations update a cell atomically by an operator for which the order does not matter") {
    const auto verdict_of = [](const std::string& type, const std::string& value, const std::string& body) {
        return verdict_on("sare updates(N) assuming N >= 1 {\n  input A : " + type + "[1]\n  F(x) = " + value +
                              "\n  output F on { [x] : 0 <= x < 2 }\n}\n",
                          "sched updates(N) {\n  input a for A : " + type + "[4];\n  output f for F : " + type +
                              "[2];\n  f[0] := a[0];\n  f[1] := a[0];\n" + body + "}\n",
                          {{"N", 1}})
            .outcome;
    };
    const std::string sum = "A(0) + A(1) + A(2)";
    const std::string add = "  par i in [0, 4) { atomic { f[i % 2] := f[i % 2] + a[i/2 + 1]; } }\n";
    CHECK(verdict_of("u8", sum, add) == Outcome::validated);
    CHECK(verdict_of("u8", sum, "  par i in [0, 4) { atomic { f[i % 2] += {i} a[i/2 + 1]; } }\n") ==
          Outcome::validated);
    // Another order of the same numbers may overflow.
    CHECK(verdict_of("i32", sum, add) == Outcome::unsupported);
    CHECK(verdict_of("u8", "A(0) + A(1) + A(1)", add) == Outcome::refuted);
    // In sequence they are right.
    const std::string mixed =
        "if i < 2 { atomic { f[i % 2] := f[i % 2] * a[1]; } } else { atomic { f[i % 2] := f[i % 2] + a[2]; } }";
    CHECK(verdict_of("u8", "A(0)*A(1) + A(2)", "  for i in [0, 4) { " + mixed + " }\n") == Outcome::validated);
    CHECK(verdict_of("u8", "A(0)*A(1) + A(2)", "  par i in [0, 4) { " + mixed + " }\n") == Outcome::unsupported);
    CHECK(verdict_of("u8", "A(0)*A(1) + A(2)",
                     "  par j in [0, 2) { for k in [0, 2) { let i = 2*k + j; " + mixed + " } }\n") ==
          Outcome::validated);
    // The value added depends on earlier additions. Doubling is a multiplication by a number.
    CHECK(verdict_of("u8", "A(0) + A(0)", "  par i in [0, 2) { atomic { f[i] := f[i] + f[i]; } }\n") ==
          Outcome::validated);
    CHECK(verdict_of("u8", "A(0) + A(0) + A(0) + A(0)",
                     "  par i in [0, 4) { atomic { f[i % 2] := f[i % 2] + f[i % 2]; } }\n") == Outcome::validated);
    CHECK(verdict_of("u8", "A(0) * A(0) * A(0) * A(0)",
                     "  par i in [0, 4) { atomic { f[i % 2] := f[i % 2] * f[i % 2]; } }\n") == Outcome::unsupported);
    CHECK(verdict_of("u8", "A(0) + A(1) + A(2)",
                     "  par i in [0, 4) { atomic { f[i % 2] := a[i/2 + 1] + (f[i % 2] + f[1 - i % 2] - f[1 - i % 2]); "
                     "} }\n") == Outcome::refuted);
    CHECK(verdict_of("u8", sum,
                     "  par i in [0, 4) { atomic { let v : u8 = f[i % 2]; f[i % 2] := v + a[i/2 + 1]; } }\n") ==
          Outcome::unsupported);
}

TEST_CASE("branches of forks are validated in any order, where one branch releases what one acquires") {
    const auto verdict_of = [](const std::string& body) {
        return verdict_on(
            "sare fork(N) assuming N >= 1 {\n  input A : u8[1]\n  F(x) = A(x) + 1u8\n"
            "  output F on { [x] : 0 <= x < N }\n}\n",
            "sched fork(N) {\n  input a for A : u8[N];\n  output f for F : u8[N];\n"
            "  allocate t : u8[2];\n  semaphore s = 0;\n  semaphore room = 2;\n" +
                body + "}\n",
            {{"N", 5}});
    };
    const auto producer = [](const std::string& value) {
        return "for x in [0, N) { acquire 1 of room; t[x % 2] := a[x] + " + value + "; release 1 of s; }";
    };
    const std::string consumer = "for x in [0, N) { acquire 1 of s; f[x] {F(x)} := t[x % 2]; release 1 of room; }";
    CHECK(verdict_of("fork { " + producer("1u8") + " } and { " + consumer + " }").outcome == Outcome::validated);
    CHECK(verdict_of("fork { " + consumer + " } and { " + producer("1u8") + " }").outcome == Outcome::validated);
    // Forks in the innermost par loop.
    CHECK(verdict_of("par j in [0, 2) { allocate t : u8[2]; semaphore s = 0; semaphore room = 2; fork { " +
                     producer("1u8") + " } and { " + consumer + " } }")
              .outcome == Outcome::validated);
    CHECK(verdict_of("par j in [0, 2) { allocate t : u8[2]; semaphore s = 0; semaphore room = 2; fork { " +
                     producer("min(max(u8<j>, 1u8), a[x] + 1u8)") + " } and { " + consumer + " } }")
              .outcome != Outcome::validated);
    CHECK(verdict_of("fork { " + producer("2u8") + " } and { " + consumer + " }").outcome == Outcome::refuted);
    const auto raced =
        verdict_of("fork { for x in [0, N) { t[x % 2] := a[x] + 1u8; release 1 of s; } } and { " + consumer + " }");
    CHECK(raced.outcome == Outcome::refuted);
    CHECK(reason(raced).find("race") != std::string::npos);
    // The order would decide which branch's unit is taken, and what has happened before.
    const auto shared = verdict_of(
        "fork { fork { t[0] := a[0]; release 1 of s; } and { t[1] := a[1]; release 1 of s; } }"
        " and { acquire 2 of s; for x in [0, N) { f[x] := a[x] + 1u8; } }");
    CHECK(shared.outcome == Outcome::unsupported);
    CHECK(reason(shared) == "a semaphore that several branches release");
    const auto stolen = verdict_of(
        "fork { fork { acquire 1 of room; skip; } and { acquire 1 of room; skip; } }"
        " and { for x in [0, N) { f[x] := a[x] + 1u8; } }");
    CHECK(reason(stolen) == "a semaphore that several branches acquire");
    const std::string one_by_one = " and { for x in [0, N) { acquire 1 of s; f[x] := u[x] + 1u8; } }";
    CHECK(verdict_of("allocate u : u8[N]; fork { for x in [0, N) { u[x] := a[x]; release 1 of s; } }" + one_by_one)
              .outcome == Outcome::validated);
    const std::string shared_by_iterations = "a semaphore that iterations of a par loop share";
    CHECK(reason(verdict_of("allocate u : u8[N]; fork { par x in [0, N) { u[x] := a[x]; release 1 of s; } }" +
                            one_by_one)) == shared_by_iterations);
    CHECK(reason(verdict_of("allocate u : u8[N]; fork { for x in [0, N) { u[x] := a[x]; release 1 of s; } }"
                            " and { par x in [0, N) { acquire 1 of s; f[x] := u[x] + 1u8; } }")) ==
          shared_by_iterations);
}

TEST_CASE("a condition on memory that was not written is not decided by its other half") {
    const auto verdict = verdict_on(
        "sare cond(N) assuming N >= 1 {\n  input A : u8[1]\n  F() = select(A(0) > 200u8, false, true)\n"
        "  output F on { [] : true }\n}\n",
        "sched cond(N) {\n  input a for A : u8[1];\n  output f for F : bool[];\n  allocate u : bool[1];\n"
        "  f[] := select(a[0] > 200u8, [int(a[0] < 100u8) and int(u[0])], [0 < 1]);\n}\n",
        {{"N", 1}});
    CHECK(verdict.outcome != Outcome::validated);
}

TEST_CASE("floats that are not strict are proved of real numbers alone") {
    const auto specification = sare::parse_sare(
        "sare one(N) assuming N >= 1 {\n  input A : f32[1]\n  F() = A(0) + 1.0f32\n  output F on { [] : true }\n}\n",
        "test");
    REQUIRE(specification);
    const auto verdict = [&](const std::string& summand, validator::Floats floats) {
        const auto program = sched::parse_program(
            "sched one(N) with loose floats {\n  input a for A : f32[1];\n"
            "  output f for F : f32[];\n  f[] {F()} := a[0] + " +
                summand + ";\n}\n",
            "test");
        REQUIRE(program);
        Options options;
        options.floats = floats;
        return validate(*specification, *program, {{"N", 1}}, options);
    };
    CHECK(verdict("1.0f32", validator::Floats::ieee).outcome == Outcome::unsupported);
    CHECK(reason(verdict("1.0f32", validator::Floats::ieee)) == "floats that are not strict");
    CHECK(verdict("1.0f32", validator::Floats::real).outcome == Outcome::validated);
    CHECK(verdict("2.0f32", validator::Floats::ieee).outcome == Outcome::refuted);
}

TEST_CASE("who is strict about floats wants zeros with their sign") {
    const auto specification = sare::parse_sare(
        "sare zero(N) assuming N >= 1 {\n  input A : f32[1]\n  F() = A(0) + 0.0f32\n  output F on { [] : true }\n}\n",
        "test");
    const auto program = sched::parse_program(
        "sched zero(N) {\n  input a for A : f32[1];\n  output f for F : f32[];\n  f[] {F()} := a[0];\n}\n", "test");
    REQUIRE((specification && program));
    Options options;
    CHECK(validate(*specification, *program, {{"N", 1}}, options).outcome == Outcome::refuted);
    options.floats = validator::Floats::real;
    CHECK(validate(*specification, *program, {{"N", 1}}, options).outcome == Outcome::validated);
}

TEST_CASE("what is meant without floats is not right up to rounding, beside what is") {
    const auto outcome_of = [](const std::string& condition, const std::string& sum) {
        return outcome_in_reals(
            "sare two(N) assuming N >= 1 {\n  input A : i16[1]\n  input B : f32[1]\n"
            "  F() = (i32(A(0)) + 16777216i32) <= 16777216i32\n  G() = B(0) + B(1)\n"
            "  output F on { [] : true }\n  output G on { [] : true }\n}\n",
            "sched two(N) {\n  input a for A : i16[1];\n  input b for B : f32[2];\n"
            "  output f for F : bool[];\n  output g for G : f32[];\n"
            "  f[] {F()} := " +
                condition + ";\n  g[] {G()} := " + sum + ";\n}\n",
            {{"N", 1}});
    };
    const std::string exact = "(i32(a[0]) + 16777216i32) <= 16777216i32";
    CHECK(outcome_of(exact, "b[0] + b[1]") == Outcome::validated);
    CHECK(outcome_of("f32(i32(a[0]) + 16777216i32) <= 16777216.0f32", "b[0] + b[1]") != Outcome::validated);
    // A result computed without floats does not depend on their arithmetic.
    CHECK(outcome_of(exact, "(b[1] + 1.0f32) + (b[0] - 1.0f32)") == Outcome::validated);
    // Otherwise IEEE floats apply; the other output's different rounding is not an error.
    CHECK(outcome_of("(i32(a[0]) + 16777216i32) <= i32(16777216.0f32)", "(b[1] + 1.0f32) + (b[0] - 1.0f32)") ==
          Outcome::undecided);
    CHECK(outcome_of(exact, "(b[1] + 1.0f32) + (b[0] + 1.0f32)") == Outcome::refuted);
}

TEST_CASE("a proof says whether floats are real numbers in it") {
    struct Proof {
        std::string type, equation, value;
        bool has_real_floats;
    };
    for (const auto& [type, equation, value, has_real_floats] :
         {Proof{"f32", "A()", "a[]", true},
          // The divisor may be zero.
          Proof{"f32", "1.0f32 / A()", "1.0f32 / a[]", false}, Proof{"i32", "A()", "a[]", false}}) {
        INFO(type << ": " << value);
        const validator::Verdict proved =
            verdict_in_reals("sare one(N) assuming N >= 1 {\n  input A : " + type + "[0]\n  F() = " + equation +
                                 "\n  output F on { [] : true }\n}\n",
                             "sched one(N) {\n  input a for A : " + type + "[];\n  output f for F : " + type +
                                 "[];\n  f[] {F()} := " + value + ";\n}\n",
                             {{"N", 1}});
        CHECK(proved.outcome == Outcome::validated);
        CHECK((proved.floats == validator::Floats::real) == has_real_floats);
    }
}

TEST_CASE("a sum in any order is no integer that is meant exactly") {
    const auto outcome_of = [](const std::string& type, const std::string& cast) {
        return outcome_in_reals("sare sums(N) assuming N >= 1 {\n  input A : u8[1]\n  F() = " + type + "(A(0)) + " +
                                    type + "(A(1))\n  output F on { [] : true }\n}\n",
                                "sched sums(N) {\n  input a for A : u8[2];\n  output f for F : " + type +
                                    "[];\n  allocate s : f32[];\n  s[] := 0.0f32;\n"
                                    "  par i in [0, 2) { atomic { s[] += {i} f32(a[i]); } }\n  f[] {F()} := " +
                                    cast + ";\n}\n",
                                {{"N", 1}});
    };
    CHECK(outcome_of("f32", "s[]") == Outcome::validated);
    CHECK(outcome_of("i32", "i32(s[])") != Outcome::validated);
    // 16777216 - 16777216 + 1 is 1, and 1 + 16777216 - 16777216 is 0. A folded value no longer shows that it was a sum.
    CHECK(outcome_in_reals("sare one(N) assuming N >= 1 {\n  F() = 1i32\n  output F on { [] : true }\n}\n",
                           "sched one(N) {\n  output f for F : i32[];\n  allocate s : f32[];\n  s[] := 0.0f32;\n"
                           "  par i in [0, 3) { atomic { s[] += {i} select(i < 1, 16777216.0f32, "
                           "select(i < 2, -16777216.0f32, 1.0f32)); } }\n  f[] {F()} := i32(s[]);\n}\n",
                           {{"N", 1}}) != Outcome::validated);
}

TEST_CASE("what is infinite or NaN is no real number, at given sizes") {
    const auto outcome_of = [](const std::string& value) {
        return outcome_in_reals(
            "sare s(N) assuming N >= 1 {\n  input A : f32[1]\n  F(x) = A(x)\n"
            "  output F on { [x] : 0 <= x < N }\n}\n",
            "sched s(N) {\n  input a for A : f32[N + 1];\n  output f for F : f32[N];\n"
            "  for x in [0, N) { f[x] {F(x)} := " +
                value + "; }\n}\n",
            {{"N", 8}});
    };
    CHECK(outcome_of("a[x] + 0.0f32 * (1.0f32 / (a[x + 1] - 12345.0f32))") != Outcome::validated);
    CHECK(outcome_of("a[x] + (a[x] / a[x + 1] - a[x] / a[x + 1])") != Outcome::validated);
    CHECK(outcome_of("a[x] + 0.0f32 * (a[x + 1] / 3.0f32)") == Outcome::validated);
}

TEST_CASE("what several iterations or lanes leave in a cell is the same, and not up to rounding") {
    const auto outcome_of = [](const std::string& body) {
        return outcome_in_reals(
            "sare r(W) assuming W >= 1 {\n  input A : f32[1]\n  T() = (A(0) + A(1)) + A(2)\n  F() = T()\n"
            "  output F on { [] : true }\n}\n",
            "sched r(W) {\n  input a for A : f32[3];\n  output f for F : f32[1];\n"
            "  allocate m : f32[1];\n  allocate n : f32[1];\n" +
                body + "}\n",
            {{"W", 1}});
    };
    const std::string left = "(a[0] + a[1]) + a[2]", right = "a[0] + (a[1] + a[2])";
    const auto par = [](const std::string& first, const std::string& second) {
        return "  par t in [0, 2) { if t = 0 { f[0] {F()} := " + first + "; } else { f[0] {F()} := " + second +
               "; } }\n";
    };
    CHECK(outcome_of("  f[0] {F()} := " + right + ";\n") == Outcome::validated);
    CHECK(outcome_of(par(left, left)) == Outcome::validated);
    CHECK(outcome_of(par(left, right)) == Outcome::undecided);
    CHECK(outcome_of(par("1.0f32", "1.0f32") + "  f[0] {F()} := " + right + ";\n") == Outcome::validated);
    CHECK(outcome_of("  lanes l < 2 do f[0] {F()} := select(l = 0, " + left + ", " + right + ");\n") !=
          Outcome::validated);
    CHECK(outcome_of("  m[0] {T()} := " + left + ";\n  n[0] {T()} := " + right + ";\n" + par("m[0]", "n[0]")) !=
          Outcome::validated);
}

TEST_CASE("iterations that differ where what is prophesied is Undef are not taken for alike") {
    const auto outcome_of = [](const std::string& loop, const std::string& value) {
        return verdict_on(
                   "sare s(N) assuming N >= 1 {\n  input A : i32[1]\n"
                   "  T(x) = A(x) >> select(A(x) == 123456i32, 40i32, 0i32)\n  F(x) = A(x)\n"
                   "  output F on { [x] : 0 <= x < N }\n}\n",
                   "sched s(N) {\n  input a for A : i32[N];\n  output f for F : i32[N];\n"
                   "  allocate m : i32[1];\n  " +
                       loop + " x in [0, N) { f[x] {F(x)} := a[x]; m[0] {T(0)} := " + value + "; }\n}\n",
                   {{"N", 3}})
            .outcome;
    };
    const std::string other = "select(a[0] == 123456i32, a[x], a[0])";
    CHECK(outcome_of("par", "a[0] >> select(a[0] == 123456i32, 40i32, 0i32)") == Outcome::validated);
    CHECK(outcome_of("for", other) == Outcome::validated);
    CHECK(outcome_of("par", other) != Outcome::validated);
}

TEST_CASE("a branch that frees what another one reads is refuted, in whichever order they run") {
    const std::string shared = "  allocate t : i32[1];\n  t[0] := a[0];\n  semaphore s = 0;\n";
    CHECK(outcome_of_copies(1, shared + "  fork { f[0] := t[0]; } and { free t; }\n") == Outcome::refuted);
    CHECK(outcome_of_copies(1, shared + "  fork { f[0] := t[0]; release 1 of s; } and { acquire 1 of s; free t; }\n") ==
          Outcome::validated);
}

TEST_CASE("arrays of negative extent do not hide the trouble behind them") {
    std::string arrays;
    for (int k = 0; k < 12; ++k) { arrays += "  allocate t" + std::to_string(k) + " : u8[N - 5];\n"; }
    const auto verdict =
        verdict_on(sums,
                   "sched sums(N) {\n  input a for A : u32[N];\n  output f for F : u32[N];\n" + arrays +
                       "  allocate s : u32[1];\n  s[0] {S(-1)} := 0u32;\n"
                       "  par k in [0, N) { s[0] {S(k)} := s[0] + a[k]; }\n"
                       "  for x in [0, N) { f[x] {F(x)} := s[0] + a[x]; }\n}\n",
                   {{"N", 3}});
    CHECK(verdict.outcome == Outcome::refuted);
    CHECK(reason(verdict).starts_with("read_write_race"));
}

TEST_CASE("an index that does not fit its type wraps, and is Undef at i32: then nothing is claimed") {
    const auto verdict_of = [](const std::string& type, const std::string& n) {
        return verdict_on("sare big(N) assuming N >= 1 {\n  input A : u8[1]\n  F() = " + type + "<4294967296 + 5*N>\n" +
                              "  output F on { [] : true }\n}\n",
                          "sched big(N) {\n  output f for F : " + type + "[];\n  f[] {F()} := " + n + type + ";\n}\n",
                          {{"N", 1}});
    };
    CHECK(verdict_of("u32", "5").outcome == Outcome::validated);
    CHECK(verdict_of("u32", "6").outcome == Outcome::refuted);
    CHECK(verdict_of("i32", "5").obligation == validator::Kind::vacuous);
}

TEST_CASE("what depends on the inputs otherwise than as a value is unsupported") {
    const std::string copy =
        "sare copy(N) assuming N >= 1 {\n  input A : u8[1]\n  F() = A(0)\n  output F on { [] : true }\n}\n";
    const auto program = [](const std::string& body) {
        return "sched copy(N) {\n  input a for A : u8[2];\n  output f for F : u8[];\n" + body + "}\n";
    };
    const auto branch =
        verdict_on(copy, program("if a[0] < 100u8 { f[] {F()} := a[0]; } else { f[] {F()} := a[0]; }"), {{"N", 1}});
    CHECK(branch.outcome == Outcome::unsupported);
    CHECK(reason(branch) == "data-dependent branch");
    const auto select = verdict_on(copy, program("f[] {F()} := select(a[0] < 100u8, a[0], a[0]);"), {{"N", 1}});
    CHECK(select.outcome == Outcome::validated);
}

TEST_CASE("a program of too many steps is undecided for want of them") {
    for (const std::uint64_t most_steps : {100, 10'000}) {
        Options options;
        options.most_steps = most_steps;
        const auto verdict = verdict_on(
            "sare copy(N) assuming N >= 1 {\n  input A : u8[1]\n  F(x) = A(x)\n"
            "  output F on { [x] : 0 <= x < N }\n}\n",
            "sched copy(N) {\n  input a for A : u8[N];\n  output f for F : u8[N];\n"
            "  for x in [0, N) { f[x] {F(x)} := a[x]; }\n}\n",
            {{"N", 1'000}}, options);
        CHECK(verdict.outcome == (most_steps == 100 ? Outcome::undecided : Outcome::validated));
        CHECK(verdict.is_exhausted == (most_steps == 100));
    }
}

TEST_CASE("a sum that may overflow in the program's order alone is refuted") {
    const auto verdict_of = [](const std::string& order) {
        return verdict_on(
            "sare three(N) assuming N >= 1 {\n  input A : i32[1]\n  F() = A(0) + A(1) + A(2)\n"
            "  output F on { [] : true }\n}\n",
            "sched three(N) {\n  input a for A : i32[3];\n  output f for F : i32[];\n  f[] {F()} := " + order +
                ";\n}\n",
            {{"N", 1}});
    };
    CHECK(verdict_of("a[2] + (a[1] + a[0])").outcome == Outcome::validated);
    const auto verdict = verdict_of("a[0] + (a[1] + a[2])");
    REQUIRE(verdict.outcome == Outcome::refuted);
    CHECK(verdict.counterexample->is_undef);
}

TEST_CASE("a wrong program is refuted on inputs that the solver finds") {
    const std::string spec =
        "sare odd(N) assuming N >= 1 {\n  input A : u32[1]\n  F() = A(0)\n  output F on { [] : true }\n}\n";
    const auto verdict = verdict_on(spec,
                                    "sched odd(N) {\n  input a for A : u32[1];\n  output f for F : u32[];\n"
                                    "  f[] {F()} := select(a[0] == 123456789u32, 0u32, a[0]);\n}\n",
                                    {{"N", 1}});
    CHECK(verdict.outcome == Outcome::refuted);
    REQUIRE(verdict.counterexample);
    REQUIRE(verdict.counterexample->inputs.given.size() == 1);
    CHECK(verdict.counterexample->inputs.given[0].value == value::Value::integer(value::Type::u32, 123456789));
}

TEST_CASE("where there is no proof, inputs are tried for as many steps as a run may have") {
    // Small inputs are below 20.
    const std::string spec =
        "sare copy(N) assuming N >= 1 {\n  input A : u8[1]\n  F() = A(0)\n  output F on { [] : true }\n}\n";
    const std::string program =
        "sched copy(N) {\n  input a for A : u8[1];\n  output f for F : u8[];\n  f[] {F()} := min(a[0], 20u8);\n}\n";
    Options options;
    options.most_values = 1;
    CHECK(verdict_on(spec, program, {{"N", 1}}, options).outcome == Outcome::refuted);
    const auto parsed = sched::parse_program(program, "test");
    const auto once = validator::replay(*sare::parse_sare(spec, "test"), *parsed, {{"N", 1}},
                                        {Inputs::Style::small, 1, {}}, options.most_steps);
    REQUIRE(once.ran);
    REQUIRE(once.steps > 0);
    options.most_steps = once.steps;
    CHECK(verdict_on(spec, program, {{"N", 1}}, options).outcome == Outcome::undecided);
}

TEST_CASE("a try at other inputs that does not come to its end is no reason to give up") {
    // Small inputs are below 20.
    const std::string program =
        "sched copy(N) {\n  input a for A : u8[1];\n  output f for F : u8[];\n  f[] {F()} := a[0];\n"
        "  if 100u8 < a[0] { for x in [0, 100000) { f[] {F()} := a[0]; } }\n}\n";
    const std::string spec =
        "sare copy(N) assuming N >= 1 {\n  input A : u8[1]\n  F() = A(0)\n  output F on { [] : true }\n}\n";
    Options options;
    options.most_values = 1;
    options.most_steps = 1'000;
    const auto verdict = verdict_on(spec, program, {{"N", 1}}, options);
    CHECK(verdict.outcome == Outcome::undecided);
    CHECK_FALSE(verdict.is_exhausted);
    CHECK(reason(verdict).find("steps") == std::string::npos);
    const auto large = validator::replay(*sare::parse_sare(spec, "test"), *sched::parse_program(program, "test"),
                                         {{"N", 1}}, {Inputs::Style::wide, 3, {}}, options.most_steps);
    CHECK_FALSE(large.ran);
}

TEST_CASE("nothing is validated when no output cell is requested") {
    const std::string spec =
        "sare none(N) assuming N >= 0 {\n  input A : u32[1]\n  F(x) = A(x)\n  output F on { [x] : 0 <= x < N }\n}\n";
    const auto verdict = verdict_on(spec,
                                    "sched none(N) {\n  input a for A : u32[N];\n  output f for F : u32[N];\n"
                                    "  for x in [0, N) { f[x] {F(x)} := a[x]; }\n}\n",
                                    {{"N", 0}});
    CHECK(verdict.outcome == Outcome::undecided);
    CHECK(verdict.obligation == validator::Kind::vacuous);
}

}  // namespace haruspex::unrolled
