#include "oracle/validator/counterexamples/replay.h"

#include "oracle/validator/validator.h"
#include "tests/oracle/validator/support.h"
#include "tests/support/catch.h"

namespace haruspex::validator {
namespace {

const std::string copy =
    "sare copy(N) assuming N >= 1 {\n  input A : u8[1]\n  F(x) = A(x)\n"
    "  output F on { [x] : 0 <= x < N }\n}\n";

sched::Program with(const std::string& body) {
    return parsed_program("sched copy(N) {\n  input A : u8[N];\n  output F : u8[N];\n" + body + "}\n");
}

const std::string loop = "  for x in [0, N) {\n    F[x] {F(x)} := A[x];\n  }\n";
// Copies only the first three cells.
const std::string short_loop = "  for x in [0, min(N, 3)) {\n    F[x] {F(x)} := A[x];\n  }\n";

}  // namespace

TEST_CASE("an assertion at the head is a fault, or says which sizes the program refuses") {
    const auto trial = [](const std::string& body, std::int64_t n, AtHead at_head) {
        return replay(parsed_sare(copy), with(body), {{"N", n}}, {}, 10'000, false, at_head);
    };
    const std::string head = "  let n = N;\n  assert n <= 4 \"small\";\n" + loop;
    CHECK(trial(head, 4, AtHead::is_wrong).message == "agrees");
    CHECK(trial(head, 4, AtHead::refuses).message == "agrees");
    CHECK(trial(head, 5, AtHead::is_wrong).is_wrong);
    const Trial refused = trial(head, 5, AtHead::refuses);
    CHECK_FALSE(refused.ran);
    CHECK(refused.message.starts_with("the program refuses the sizes: "));
    // After other statements, or in a loop, a failed assertion is an error.
    CHECK(trial(loop + "  assert N <= 4 \"small\";\n", 5, AtHead::refuses).is_wrong);
    CHECK(trial("  for i in [0, 1) {\n    assert N <= 4 \"small\";\n  }\n" + loop, 5, AtHead::refuses).is_wrong);
    // A program that is wrong at accepted sizes stays wrong.
    CHECK(trial("  assert N <= 4 \"small\";\n" + short_loop, 4, AtHead::refuses).is_wrong);
}

TEST_CASE("where more is requested than can be written in time, troubles are all that is looked for") {
    const auto trial = [](const std::string& body) {
        return replay(parsed_sare(copy), with(body), {{"N", 20'000}}, {}, 10'000);
    };
    const Trial none = trial(short_loop);
    CHECK_FALSE(none.ran);
    CHECK(none.message == "more cells are requested than steps");
    CHECK(trial("  F[N] := 1u8;\n").is_wrong);
}

TEST_CASE("a program that goes on for too long is wrong when it was wrong before") {
    const auto trial = [](const std::string& body) {
        return replay(parsed_sare(copy), with(body), {{"N", 20}}, {}, 1000);
    };
    const std::string long_loop = "  for x in [0, 2000) { F[0] := 1u8; }\n";
    CHECK_FALSE(trial(long_loop).ran);
    CHECK_FALSE(trial(long_loop).is_wrong);
    CHECK(trial("  F[N] := 1u8;\n" + long_loop).trouble == interp::TroubleKind::out_of_bounds_write);
    CHECK_FALSE(trial(long_loop + "  F[N] := 1u8;\n").is_wrong);
}

TEST_CASE("a program that was made of another one is refuted where the other one is wrong") {
    Options options;
    const auto verdict = [&] { return validate(parsed_sare(copy), with(short_loop), options); };
    REQUIRE(verdict().outcome == Outcome::refuted);
    std::vector<Sizes> asked;
    options.original = [&](const Sizes& sizes, const Inputs&) {
        asked.push_back(sizes);
        return Trial{true, false, false, "agrees"};
    };
    const Verdict of_making = verdict();
    CHECK(of_making.outcome == Outcome::undecided);
    CHECK_FALSE(asked.empty());
    options.original = [](const Sizes& sizes, const Inputs&) {
        return Trial{true, sizes.at("N") >= 7, false, "seven are too many"};
    };
    const Verdict of_original = verdict();
    REQUIRE(of_original.outcome == Outcome::refuted);
    CHECK(of_original.counterexample->sizes.at("N") >= 7);
    CHECK(of_original.counterexample->message == "seven are too many");
}

}  // namespace haruspex::validator
