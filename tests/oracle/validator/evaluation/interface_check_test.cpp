#include "oracle/validator/evaluation/interface_check.h"
#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

constexpr const char* specification =
    "sare pair(N) assuming N >= 1 {\n"
    "  input A : i32[1]\n"
    "  B(x) = { A(x), A(x) < 0i32 }\n"
    "  output B on { [x] : 0 <= x < N }\n"
    "}\n";

// The error for a program with these arrays; empty if it fits.
std::string misfit(const std::string& parameters, const std::string& arrays) {
    const auto sare = sare::parse_sare(specification, "a.sare");
    REQUIRE(sare);
    const auto program = sched::parse_program("sched pair(" + parameters + ") { " + arrays + " }", "a.sched");
    REQUIRE(program);
    const auto fits = validator::check_interface(*sare, *program);
    return fits ? "" : fits.error().message;
}

}  // namespace

TEST_CASE("a program fits a specification of the same parameters and of the tensors that its arrays are for") {
    CHECK(misfit("N", "input a for A : i32[N]; output b for B : i32[N]; output c for B[1] : bool[N];").empty());
    CHECK(misfit("N", "").empty());
    CHECK(misfit("N, M", "") == "its parameters are N, M, those of the specification N");
    CHECK(misfit("", "") == "its parameters are none, those of the specification N");
    CHECK(misfit("N", "input a for D : i32[N];") == "input a is for D, which is no tensor of the specification");
    CHECK(misfit("N", "input a for B : i32[N];") == "input a is for B, which is no input");
    CHECK(misfit("N", "input a for A : u8[N];") == "input a is for A, whose type is i32, not u8");
    CHECK(misfit("N", "output b for B[1] : i32[N];") == "output b is for B, whose type is bool, not i32");
    CHECK(misfit("N", "output b for B[2] : i32[N];") == "output b is for B, which has no component 2");
    CHECK(misfit("N", "input a for A : i32[N]; input b for A : i32[N];").empty());
    CHECK(misfit("N", "output b for B : i32[N]; output c for B : i32[N];") ==
          "output c is for B, for which there is another");
    CHECK(misfit("N", "input a for A : i32[N, N];") == "input a is for A, which has 1 dimension, not 2");
}
