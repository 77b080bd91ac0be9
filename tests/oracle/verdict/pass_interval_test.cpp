#include "oracle/verdict/pass_interval.h"

#include "tests/support/catch.h"

namespace haruspex::verdict {

TEST_CASE("an interval of passes reads back, and no other text is one") {
    for (const PassInterval& interval :
         {PassInterval{"source", "simplify.4"}, PassInterval{"final", "code generation"}, PassInterval{"a", "b"}}) {
        CHECK(parse_pass_interval(to_string(interval)) == interval);
    }
    CHECK(to_string(PassInterval{"a", "b"}) == "(a, b]");
    for (const char* text : {"", "a, b", "(a, b", "a, b]", "(a b]", "(, b]", "(a, ]", "()"}) {
        INFO(text);
        CHECK_FALSE(parse_pass_interval(text));
    }
}

TEST_CASE("what is before the first pass and behind the last one has a name") {
    CHECK(is_from_source({"source", "a"}));
    CHECK_FALSE(is_from_source({"a", "source"}));
    CHECK(is_code_generation({"final", "code generation"}));
    CHECK_FALSE(is_code_generation({"a", "final"}));
}

}  // namespace haruspex::verdict
