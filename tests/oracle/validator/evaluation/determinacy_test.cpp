#include <string>

#include "oracle/validator/validator.h"
#include "tests/oracle/validator/support.h"
#include "tests/support/catch.h"

namespace haruspex::validator {

TEST_CASE("a loop's variable is one, also where a parameter of its name is a number") {
    const auto outcome = [](const std::string& loop, const std::string& value, const Sizes& sizes) {
        Options options;
        options.sizes = sizes;
        options.probes = false;
        return validate(parsed_sare("sare s(N) assuming N >= 1 {\n  F(x) = 2147483645i32 + i32<x>\n"
                                    "  output F on { [x] : 0 <= x < N }\n}\n"),
                        parsed_program("sched s(N) {\n  output f for F : i32[N];\n  for x in [0, N) { par " + loop +
                                       " in [0, 2) { f[x] {F(x)} := " + value + "; } }\n}\n"),
                        options)
            .outcome;
    };
    for (const std::string loop : {"s", "N"}) {
        INFO(loop);
        const std::string right = "2147483645i32 + i32<x>";
        const std::string wrong = "select(x > 2, i32<" + loop + ">, 2147483645i32 + i32<min(x, 2)>)";
        for (const Sizes& sizes : {Sizes{}, Sizes{{"N", 5}}}) {
            CHECK(outcome(loop, right, sizes) == Outcome::validated);
            CHECK(outcome(loop, wrong, sizes) != Outcome::validated);
        }
    }
}

}  // namespace haruspex::validator
