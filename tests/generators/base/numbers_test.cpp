#include "generators/base/numbers.h"

#include <cstdint>

#include "tests/support/catch.h"

namespace haruspex {
namespace {

TEST_CASE("a number is the whole of a text, and fits its type") {
    CHECK(parse_number<std::int64_t>("-17") == -17);
    CHECK(parse_number<std::int64_t>("9223372036854775807") == INT64_MAX);
    CHECK(parse_number<std::uint64_t>("18446744073709551615") == UINT64_MAX);
    CHECK(parse_number<std::uint64_t>("ff", 16) == 255u);
    CHECK(parse_number<std::uint64_t>("ffffffffffffffff", 16) == UINT64_MAX);
    CHECK(parse_number<double>("2.5e3") == 2500.0);
    for (const char* wrong : {"", "-", " 1", "1 ", "+1", "0x1", "1_", "9223372036854775808", "99999999999999999999"}) {
        INFO(wrong);
        CHECK_FALSE(parse_number<std::int64_t>(wrong));
    }
    CHECK_FALSE(parse_number<std::uint64_t>("-1"));
    CHECK_FALSE(parse_number<std::uint64_t>("18446744073709551616"));
    CHECK_FALSE(parse_number<std::uint64_t>("10000000000000000", 16));
    CHECK_FALSE(parse_number<std::uint64_t>("fg", 16));
    CHECK_FALSE(parse_number<std::int8_t>("128"));
    CHECK_FALSE(parse_number<double>("1e999"));
}

}  // namespace
}  // namespace haruspex
