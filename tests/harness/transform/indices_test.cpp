#include "harness/transform/indices.h"

#include <cstdint>
#include <string>

#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "tests/support/catch.h"

// Simplified indices.
namespace haruspex::transform {
namespace {

using sare::constant;
using sare::variable;

std::string simple(const sare::Index& index) { return sare::print(simplified(index)); }

TEST_CASE("sums are collected, and what is no sum stays") {
    CHECK(simple(variable("x") + constant(2) - variable("x")) == "2");
    CHECK(simple(3 * (variable("x") + constant(1)) - constant(3)) == "3*x");
    CHECK(simple(sare::min(variable("x") + constant(1), variable("x"))) == "x");
    CHECK(constant_of(variable("x") - variable("x")) == 0);
    CHECK(coefficient(2 * variable("x") + variable("y"), "x") == 2);
}

TEST_CASE("an index with numbers beyond 64 bits is left as it is") {
    constexpr std::int64_t large = std::int64_t{1} << 62;
    for (const sare::Index& index :
         {constant(large) + constant(large), 4 * (large * variable("x")), large * variable("x") + large * variable("x"),
          constant(-large) - constant(large), constant(INT64_MIN) + variable("x")}) {
        CHECK(simplified(index) == index);
        CHECK_FALSE(constant_of(index));
        CHECK_FALSE(coefficient(index, "x"));
    }
    const sare::Index least = sare::min(large * variable("x"), (-large - 1) * variable("x"));
    CHECK(simplified(least) == least);
}

}  // namespace
}  // namespace haruspex::transform
