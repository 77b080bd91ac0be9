#include <string>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// A bug that only the validator refutes, and the pass at fault: the mutant replaces a < b in a select by a <= b.
namespace {

using namespace command_line;

// A cell is wrong if x is 8 and the input is not 0.
std::string clipped(int width, int least, int most) {
    return R"json({
  "haruspex_case": 1,
  "sare": [
    "sare clipped(W) assuming W >= 1 {",
    "  input in : u8[1]",
    "  f(x) = select([x < 8], in(x), 0u8)",
    "  output f on { [x] : 0 <= x < W }",
    "}"
  ],
  "schedule": [],
  "sizes": {"W": )json" +
           std::to_string(width) + R"json(},
  "inputs": {"in": {"min": )json" +
           std::to_string(least) + ", \"max\": " + std::to_string(most) +
           R"json(, "scale": 0, "special_values": false}},
  "input_seed": 5,
  "strict_float": false,
  "comparison": "exact",
  "target": "x86-64-linux-avx-avx2-f16c-fma-sse41"
}
)json";
}

Ran run(const Scratch& scratch, const std::string& a_case) {
    write(scratch / "case.json", a_case);
    return shell(scratch, haruspex + " run " + (scratch / "case.json") + " --validate --trace-passes" +
                              " --mutant bounded_compare");
}

void check_blame(const Ran& ran) {
    INFO(ran.out);
    INFO(ran.err);
    CHECK(ran.exit_code == 1);
    CHECK(ran.out.starts_with("class     refuted_lowering\n"));
    // The mutant changes the call of simplify that comes after unpack_buffers.
    CHECK(ran.out.find("\npass      (unpack_buffers, simplify.") != std::string::npos);
    CHECK(ran.out.find("\nunpack_buffers") != std::string::npos);
    CHECK(ran.out.find("  right\n") != std::string::npos);
    CHECK(ran.out.find("  WRONG  f(8) is ") != std::string::npos);
    CHECK(ran.out.find("\ngoes wrong in (unpack_buffers, simplify.") != std::string::npos);
}

}  // namespace

TEST_CASE("what is wrong at other sizes alone is blamed on its pass") {
    Scratch scratch;
    const Ran ran = run(scratch, clipped(8, 1, 9));
    check_blame(ran);
    CHECK(ran.out.find("\nmessage   at W = 9: f(8) is ") != std::string::npos);
}

TEST_CASE("what is wrong on other inputs alone is blamed on its pass, by proofs of the passes before") {
    Scratch scratch;
    const Ran ran = run(scratch, clipped(20, 0, 0));
    check_blame(ran);
    CHECK(ran.out.find("\nmessage   on small inputs of seed 1: f(8) is ") != std::string::npos);
}

TEST_CASE("what is wrong at other sizes and on other inputs alone is blamed on its pass") {
    Scratch scratch;
    const Ran ran = run(scratch, clipped(8, 0, 0));
    check_blame(ran);
    CHECK(ran.out.find("\nmessage   at W = 9: on small inputs of seed 1: f(8) is ") != std::string::npos);
}
