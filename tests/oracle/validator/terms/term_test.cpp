#include "oracle/validator/terms/term.h"

#include "tests/support/catch.h"

namespace haruspex::validator {
namespace {

TEST_CASE("of a term that shares much, no more text is made than is asked for") {
    const Term cell = make_cell("t", 0, value::Type::f32, {});
    const auto doubled = [&](int times) {
        Term sum = cell;
        for (int k = 0; k < times; ++k) { sum = make_binary(value::BinaryOp::add, sum, sum); }
        return sum;
    };
    CHECK(to_string(doubled(1)) == "(t() + t())");
    const std::string whole = to_string(doubled(10));
    CHECK(to_string(doubled(10), 100'000) == whole);
    const std::string part = to_string(doubled(10), 100);
    CHECK(part.size() >= 100);
    CHECK(part.size() < 200);
    CHECK(part.substr(0, 100) == whole.substr(0, 100));
    CHECK(to_string(doubled(60), 100).size() < 1000);
}

}  // namespace
}  // namespace haruspex::validator
