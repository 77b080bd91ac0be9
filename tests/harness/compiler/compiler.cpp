#include "harness/compiler/compiler.h"

#include "tests/support/catch.h"

namespace haruspex::compiler {

TEST_CASE("what is not observed is said with what follows from it") {
    CHECK(to_string(Unobserved{}).empty());
    CHECK(to_string(Unobserved{.passes = {"unroll"}}) == "the pass unroll");
    CHECK(to_string(Unobserved{.passes = {"unroll", "fold"}}) == "the passes unroll, fold");
    CHECK(to_string(Unobserved{.prophecies = true, .passes = {"split"}}) ==
          "lowering with prophecies (nothing is validated); the pass split");
    CHECK(to_string(Unobserved{.lowered = true, .prophecies = true}) ==
          "lowered programs (only native code is judged)");
}

}  // namespace haruspex::compiler
