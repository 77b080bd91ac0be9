#include "oracle/conversion/multiples.h"

#include <string>

#include "harness/sched/text.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/support/catch.h"

namespace haruspex::conversion {
namespace {

sched::Program program(const std::string& index) {
    auto parsed =
        sched::parse_program("sched divided(A, B) {\n  output F : i32[1];\n  F[0] := i32<" + index + ">;\n}\n", "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    return std::move(*parsed);
}

auto run(const sched::Program& p, std::int64_t a, std::int64_t b) {
    const auto none = [](const std::string&, int, const std::vector<std::int64_t>&) {
        return value::Value::integer(value::Type::i32, 0);
    };
    const auto result = interp::run(p, {{"A", a}, {"B", b}}, none);
    if (!result) { FAIL(to_string(result.error())); }
    CHECK(result->troubles.empty());
    return result->outputs.at(0).cells;
}

}  // namespace

TEST_CASE("a multiple, or one less, is divided for each sign of the divisor") {
    for (const char* index :
         {"A*B/A", "A*B%A", "(A*B - 1)/A", "(A*B - 1)%A", "(A - 1)/A", "(A - 1)%A", "A/(A + 1)", "A%(A + 1)",
          "(2*A*B - 1)/(2*A)", "(let d = A + B in (3*d - 1)/d)", "(let d = A - B in d*(A + 1)%d)"}) {
        INFO(index);
        const sched::Program before = program(index);
        sched::Program after = before;
        divide_multiples(after);
        CHECK(after != before);
        for (std::int64_t a = -4; a < 5; ++a) {
            for (std::int64_t b = -3; b < 4; ++b) { CHECK(run(before, a, b) == run(after, a, b)); }
        }
    }
}

TEST_CASE("what is otherwise divided stays") {
    for (const char* index : {"B/A", "(A*B + 1)/A", "(A*B - 2)%A", "B/4", "(4*B - 1)/4", "A*B/(A + B)"}) {
        const sched::Program before = program(index);
        sched::Program after = before;
        divide_multiples(after);
        CHECK(after == before);
    }
}

}  // namespace haruspex::conversion
