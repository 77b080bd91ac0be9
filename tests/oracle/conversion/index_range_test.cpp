#include "oracle/conversion/index_range.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/sched/text.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/support/catch.h"

namespace haruspex::conversion {
namespace {

// Nothing is known of y.
const IndexRanges known{{"x", {-4, 8}}};

sched::Expr parsed(const std::string& index) {
    const auto program = sched::parse_program("sched p(x, y) { let i = " + index + "; }", "test");
    if (!program) { FAIL(to_string(program.error())); }
    return std::get<sched::Let>(program->body.at(0).node).value;
}

// The index's values for all x in [-4, 8] and y in [-9, 13].
std::vector<std::int64_t> computed(const std::string& index) {
    const auto program = sched::parse_program(
        "sched p() { output out : i64[13 from 0, 23 from 0];\n"
        "  for x in [-4, 9) { for y in [-9, 14) { out[x + 4, y + 9] := i64<" +
            index + ">; } } }",
        "test");
    if (!program) { FAIL(to_string(program.error())); }
    const auto run = interp::run(*program, {}, {});
    if (!run) { FAIL(to_string(run.error())); }
    std::vector<std::int64_t> result;
    for (const value::Value& cell : run->outputs.at(0).cells) { result.push_back(cell.as_signed()); }
    return result;
}

}  // namespace

TEST_CASE("every value of an index lies in its range, and the ends are met where x is all there is") {
    for (const std::string index : {"x", "3 - 2*x", "(x + 1)/3", "x/3 - x/5", "max(x, 3)", "min(-x, 2)", "5*(0 - 7)",
                                    "min(max(x, -1), 6)", "select(x < 2, 5, 0 - x)"}) {
        INFO(index);
        const IndexRange range = range_of(parsed(index), known);
        const std::vector<std::int64_t> values = computed(index);
        const auto [low, high] = std::ranges::minmax(values);
        REQUIRE((range.low && range.high));
        CHECK(*range.low <= low);
        CHECK(*range.high >= high);
        const bool is_joint = index.find("x/3 - x/5") == 0 || index.find("select") == 0;
        if (!is_joint) { CHECK((*range.low == low && *range.high == high)); }
    }
}

TEST_CASE("of what is unknown only the clamps are known") {
    CHECK(range_of(parsed("x + y"), known) == IndexRange{});
    CHECK(range_of(parsed("max(y, 3)"), known) == IndexRange{3, std::nullopt});
    CHECK(range_of(parsed("7 - max(y, 3)"), known) == IndexRange{std::nullopt, 4});
    CHECK(range_of(parsed("min(max(y, 0 - 128), 127)"), known) == IndexRange{-128, 127});
    CHECK(range_of(parsed("y % 16"), known) == IndexRange{0, 15});
    CHECK(range_of(parsed("y*y"), known) == IndexRange{});
    CHECK(range_of(parsed("4611686018427387904 * x"), known) == IndexRange{});
}

TEST_CASE("a comparison is decided where all its values say the same") {
    for (const std::string relation : {"<", "<=", ">", ">=", "=", "!="}) {
        for (int bound = -7; bound <= 11; ++bound) {
            for (const std::string& text :
                 {"x" + relation + std::to_string(bound), std::to_string(bound) + relation + "x"}) {
                INFO(text);
                const std::vector<std::int64_t> truths = computed("select(" + text + ", 1, 0)");
                const auto [least, greatest] = std::ranges::minmax(truths);
                const auto expected = least == greatest ? std::optional(least == 1) : std::nullopt;
                CHECK(decided(std::get<sched::Comparison>(parsed(text).node), known) == expected);
            }
        }
        CHECK_FALSE(decided(std::get<sched::Comparison>(parsed("x" + relation + "y").node), known));
    }
}

TEST_CASE("a clamp that decides nothing goes, and only such a one") {
    const std::string relations[] = {"<", "<=", ">", ">=", "=", "!="};
    for (const std::string& relation : relations) {
        for (const std::string clamp : {"min", "max"}) {
            for (int bound = -7; bound <= 11; ++bound) {
                const std::string side = clamp + "(y, " + std::to_string(bound) + ")";
                for (const bool is_left : {true, false}) {
                    const auto compared = [&](const std::string& other) {
                        return is_left ? other + relation + "x" : "x" + relation + other;
                    };
                    const auto truth = [](const std::string& condition) {
                        return computed("select(" + condition + ", 1, 0)");
                    };
                    INFO(compared(side));
                    const auto before = std::get<sched::Comparison>(parsed(compared(side)).node);
                    const sched::Comparison after = without_clamps(before, known);
                    CHECK(truth(sched::print(sched::Expr{after})) == truth(compared(side)));
                    if (relation == "=" || relation == "!=") { continue; }
                    const bool is_idle = truth(compared("y")) == truth(compared(side));
                    CHECK((after == before) == !is_idle);
                }
            }
        }
    }
}

}  // namespace haruspex::conversion
