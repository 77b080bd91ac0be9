#include <cstdlib>

#include "harness/compiler/compilers.h"
#include "tests/support/catch.h"

using namespace haruspex;

TEST_CASE("the variables of the compilers are removed, and no others") {
    (void)compiler::forget_variables();
    ::setenv("HLX", "stays", 1);
    CHECK_FALSE(compiler::forget_variables());
    ::setenv("HL_DEBUG_CODEGEN", "2", 1);
    ::setenv("HL_TARGET", "pdp-11", 1);
    CHECK(compiler::forget_variables());
    CHECK(std::getenv("HL_DEBUG_CODEGEN") == nullptr);
    CHECK(std::getenv("HL_TARGET") == nullptr);
    CHECK(std::getenv("HLX") != nullptr);
    CHECK_FALSE(compiler::forget_variables());
}
