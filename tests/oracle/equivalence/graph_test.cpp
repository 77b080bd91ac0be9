#include "oracle/equivalence/graph.h"

#include <string>

#include "generators/affine/context.h"
#include "tests/support/catch.h"

namespace haruspex::equivalence {
namespace {

bool fits(value::Type type, const std::string& index, const std::string& iterations) {
    const affine::Context context;
    return always_fits({type, isl::map(context.ctx(), index)}, isl::set(context.ctx(), iterations));
}

TEST_CASE("an index as a value fits its type with room to spare, or may not") {
    using value::Type;
    CHECK(fits(Type::i32, "{ [x] -> [x + 1] }", "{ [x] : 0 <= x < 100 }"));
    CHECK(fits(Type::i32, "{ [x] -> [x] }", "{ [x] : -1073741824 < x < 1073741824 }"));
    CHECK_FALSE(fits(Type::i32, "{ [x] -> [x] }", "{ [x] : 0 <= x <= 1073741824 }"));
    CHECK_FALSE(fits(Type::i32, "{ [x] -> [x] }", "{ [x] : -1073741824 <= x <= 0 }"));
    CHECK_FALSE(fits(Type::i32, "{ [x] -> [x] }", "{ [x] : x >= 0 }"));
    CHECK(fits(Type::u8, "{ [x] -> [x] }", "{ [x] }"));
    CHECK(fits(Type::w32, "{ [x] -> [x] }", "{ [x] }"));
    CHECK(fits(Type::i64, "{ [x] -> [x] }", "{ [x] : 0 <= x < 1099511627776 }"));
    CHECK(fits(Type::i32, "{ [x] -> [x] }", "{ [x] : x < x }"));
}

TEST_CASE("an index that is a part of another one fits, too") {
    CHECK(fits(value::Type::i32, "{ [x] -> [y] : 3y = x }", "{ [x] : 0 <= x < 100 }"));
    CHECK(fits(value::Type::i32, "{ [x] -> [y] : 3y = x }", "{ [x] : 0 <= x < 100 and x mod 3 = 0 }"));
    CHECK_FALSE(fits(value::Type::i32, "{ [x] -> [y] : 3y = x }", "{ [x] : 0 <= x }"));
}

}  // namespace
}  // namespace haruspex::equivalence
