#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "tests/support/catch.h"
#include "tests/support/loop_algorithm.h"
#include "tests/support/naive_sare.h"
#include "tests/support/random_sare.h"

using namespace haruspex;

namespace {

struct Count {
    int known = 0, cells = 0;
};

// Checks that loops and staged equations agree at every cell near zero of every function.
void compare(const sare::Algorithm& algorithm, const sare::Environment& parameters, Count& count) {
    const sare::Sare staged = sare::stage(algorithm);
    const auto inputs = testing::small_inputs(algorithm);
    const testing::LoopAlgorithm loops(algorithm, parameters, inputs, 8);
    testing::NaiveSare equations(staged, parameters, inputs);
    const auto look = [&](const sare::Function& f, const testing::Cell& cell) {
        for (int c = 0; c < static_cast<int>(f.types.size()); ++c) {
            ++count.cells;
            const auto expected = loops.at(f.name, c, cell);
            if (!expected) { continue; }
            ++count.known;
            const value::Value found = equations.at(f.name, c, cell);
            const bool same =
                found.state() == expected->state() && (!found.is_defined() || value::same_result(found, *expected));
            if (!same) {
                INFO(sare::print(staged));
                INFO("component " << c << " of " << f.name << ": loops " << value::to_string(*expected)
                                  << ", equations " << value::to_string(found));
                REQUIRE(same);
            }
        }
    };
    for (const sare::Function& f : algorithm.functions) {
        if (f.variables.empty()) { look(f, {}); }
        for (std::int64_t x = -3; x <= 3 && !f.variables.empty(); ++x) {
            if (f.variables.size() == 1) { look(f, {x}); }
            for (std::int64_t y = -3; y <= 3 && f.variables.size() == 2; ++y) { look(f, {x, y}); }
        }
    }
}

}  // namespace

TEST_CASE("a staged SARE has the values that the algorithm's loops compute") {
    Count count;
    int updates = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Choices choices(random_source(seed));
        const sare::Algorithm algorithm = testing::random_algorithm(choices);
        const auto checked = sare::check(algorithm);
        INFO("seed " << seed << ": " << (checked ? "" : to_string(checked.error())));
        REQUIRE(checked.has_value());
        for (const sare::Function& f : algorithm.functions) { updates += static_cast<int>(f.updates.size()); }
        compare(algorithm, {{"N", choices.integer(0, 3)}, {"M", choices.integer(-1, 3)}}, count);
    }
    // Enough programs were compared.
    CHECK(updates > 2000);
    CHECK(count.known > count.cells / 2);
    CHECK(count.known > 80000);
}

TEST_CASE("the in-place recurrence D(i, 2k) += D(i, k) computes what its loop does") {
    const auto sare = sare::parse_sare(R"(sare recurrence(N) {
        input in : i32[2]
        D(i, j) = in(i, j)
        update D(i, 2*k) = D(i, 2*k) + D(i, k) over k in [0, N)
        output D on { [i, j] : 0 <= i < 3 and 0 <= j < 8 }
    })",
                                       "");
    REQUIRE(sare.has_value());
    const auto algorithm = sare::unstage(*sare);
    REQUIRE(algorithm.has_value());
    Count count;
    for (std::int64_t n = 0; n <= 4; ++n) { compare(*algorithm, {{"N", n}}, count); }
    CHECK(count.known == count.cells);
}
