#include "generators/affine/division.h"

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "generators/affine/context.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/base/choice.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

struct Question {
    affine::Context context;
    isl::set known;
    isl::pw_aff a;

    Question(const std::string& set, const std::string& expression)
        : known(isl::set(context.ctx(), set)), a(isl::pw_aff(context.ctx(), expression)) {}

    // The quotient and the remainder in isl's notation, if known.
    std::pair<std::string, std::string> divided(std::int64_t b) const {
        const affine::Division division = affine::divided(a, b, known);
        return {affine::to_string(division.quotient.gist_params(known).coalesce()),
                affine::to_string(division.remainder.gist_params(known).coalesce())};
    }
};

}  // namespace

TEST_CASE("a division is split into multiples and a rest where the context says that the rest is small") {
    using Pair = std::pair<std::string, std::string>;
    CHECK(Question("[x, l] -> { : 0 <= l < 8 }", "[x, l] -> { [(8x + l)] }").divided(8) ==
          Pair{"[x, l] -> { [(x)] }", "[x, l] -> { [(l)] }"});
    // Reversed: 13y - x + 12 counts row y from its end.
    CHECK(Question("[x, y] -> { : 0 <= x < 13 }", "[x, y] -> { [(13y - x + 12)] }").divided(13) ==
          Pair{"[x, y] -> { [(y)] }", "[x, y] -> { [(12 - x)] }"});
    // A diagonal's coefficient is closer to the next multiple.
    CHECK(Question("[x] -> { : 0 <= x < 3 }", "[x] -> { [(25x + 2)] }").divided(13) ==
          Pair{"[x] -> { [(2x)] }", "[x] -> { [(2 - x)] }"});
    CHECK(Question("[x] -> { : 0 <= x <= 1 }", "[x] -> { [(6x + 1)] }").divided(8) ==
          Pair{"[x] -> { [(0)] }", "[x] -> { [(1 + 6x)] }"});
    CHECK(Question("[x] -> { : x >= 0 }", "[x] -> { [(x)] }").divided(4).first.find("floor") != std::string::npos);
}

TEST_CASE("a division is what its definition says, wherever the context holds") {
    std::uint64_t without_floor = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        Choices choices(random_source(seed));
        const auto number = [&](std::int64_t low, std::int64_t high) {
            return std::to_string(choices.integer(low, high));
        };
        const std::string affine = number(-30, 30) + "x + " + number(-30, 30) + "y + " + number(-4, 4) +
                                   "*floor((x + " + number(0, 3) + "y)/3) + " + number(-40, 40);
        const std::string other = number(-12, 12) + "x + " + number(-20, 20);
        const std::string cut = number(-3, 6);
        const Question question(
            "[x, y] -> { : 0 <= x < " + number(1, 8) + " and -2 <= y < " + number(-1, 5) + "; : x = 7 and y >= 3 }",
            "[x, y] -> { [(" + affine + ")] : x <= " + cut + "; [(" + other + ")] : x > " + cut + " }");
        const std::int64_t b = choices.integer(1, 30);
        const auto [quotient, remainder] = affine::divided(question.a, b, question.known);
        const isl::pw_aff divisor = affine::constant(question.context.ctx(), b);
        const isl::pw_aff zero = affine::constant(question.context.ctx(), 0);
        CHECK(question.known.is_subset(quotient.scale(static_cast<long>(b)).add(remainder).eq_set(question.a)));
        CHECK(question.known.is_subset(remainder.ge_set(zero).intersect(remainder.lt_set(divisor))));
        without_floor += affine::to_string(remainder).find("mod") == std::string::npos ? 1 : 0;
    }
    CHECK(without_floor > 10);
}

TEST_CASE("a division is what its definition says near the ends of 64 bits") {
    for (const auto& [set, expression, b] :
         {std::tuple("[x] -> { : x = 0 or x = -8388608 }", "[x] -> { [(1099511627776x)] }",
                     std::int64_t{2199023255553}),
          std::tuple("[x] -> { : -9223372036854775808 <= x <= 3 }", "[x] -> { [(x)] }", std::int64_t{3}),
          std::tuple("[x] -> { : 0 <= x <= 9223372036854775807 }", "[x] -> { [(x)] }", std::int64_t{1} << 40),
          std::tuple("[x] -> { : 0 <= x <= 8 }", "[x] -> { [(1000x)] }", std::numeric_limits<std::int64_t>::max())}) {
        INFO(expression << " by " << b);
        const Question question(set, expression);
        const auto [quotient, remainder] = affine::divided(question.a, b, question.known);
        const isl::pw_aff divisor = affine::constant(question.context.ctx(), b);
        const isl::pw_aff zero = affine::constant(question.context.ctx(), 0);
        CHECK(question.known.is_subset(quotient.scale(static_cast<long>(b)).add(remainder).eq_set(question.a)));
        CHECK(question.known.is_subset(remainder.ge_set(zero).intersect(remainder.lt_set(divisor))));
    }
}
