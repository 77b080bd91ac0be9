#include <algorithm>

#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "tests/support/catch.h"
#include "tests/support/random_sare.h"

using namespace haruspex;
using testing::Numbers;

namespace {

constexpr std::uint64_t rounds = 1000;

template <typename T>
std::string failure(const Result<T>& result) {
    return result ? "" : to_string(result.error());
}

}  // namespace

TEST_CASE("printed indices are read back as they were") {
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        Choices choices(random_source(seed));
        const sare::Index index = testing::random_index(choices, {"x", "y", "N"}, 5, Numbers::wild);
        const std::string text = sare::print(index);
        const auto again = sare::parse_index(text, "");
        INFO(text << "\n" << failure(again));
        REQUIRE(again.has_value());
        REQUIRE(*again == index);
    }
}

TEST_CASE("printed conditions are read back as they were") {
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        Choices choices(random_source(seed));
        const sare::Condition condition = testing::random_condition(choices, {"x", "y", "N"}, 5, Numbers::wild);
        const std::string text = sare::print(condition);
        const auto again = sare::parse_condition(text, "");
        INFO(text << "\n" << failure(again));
        REQUIRE(again.has_value());
        REQUIRE(*again == condition);
    }
}

TEST_CASE("printed expressions are read back as they were") {
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        Choices choices(random_source(seed));
        const std::vector<testing::Readable> tensors{{"a", {value::Type::i32}, 2},
                                                     {"b", {value::Type::f64, value::Type::boolean}, 1},
                                                     {"c", {value::Type::u8}, 0}};
        const value::Type type = testing::random_type(choices);
        const sare::Expr expr = testing::ExprBuilder(choices, {"x", "y", "N"}, tensors, Numbers::wild).expr(type, 5);
        const std::string text = sare::print(expr);
        const std::string system =
            "sare s(N) { input a : i32[2] input c : u8[0] b(x) = { 1.0f64, true } e(x, y) = " + text +
            " output e on { [x, y] : 0 <= x < N and 0 <= y < N } }";
        const auto again = sare::parse_sare(system, "");
        INFO(text << "\n" << failure(again));
        REQUIRE(again.has_value());
        REQUIRE(again->tensors.back().types == std::vector{type});
        REQUIRE(again->tensors.back().equations.front().values.front() == expr);
    }
}

TEST_CASE("printed systems are read back as they were") {
    int staged = 0;
    int general = 0;
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        Choices choices(random_source(seed));
        const sare::Sare system = testing::random_sare(choices, Numbers::wild, 3);
        const std::string text = sare::print(system);
        const auto again = sare::parse_sare(text, "");
        INFO("seed " << seed << "\n" << text << "\n" << failure(again));
        REQUIRE(again.has_value());
        REQUIRE(*again == system);
        REQUIRE(sare::print(*again) == text);
        staged += system.stagings.empty() ? 0 : 1;
        general += std::any_of(system.tensors.begin(), system.tensors.end(),
                               [](const sare::Tensor& t) { return t.name.starts_with("g"); })
                       ? 1
                       : 0;
    }
    CHECK(staged > 300);
    CHECK(general > 300);
}

TEST_CASE("the expanded form has the same tensors and no staging") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Choices choices(random_source(seed));
        const sare::Sare system = testing::random_sare(choices);
        const auto again = sare::parse_sare(sare::print_expanded(system), "");
        INFO("seed " << seed << "\n" << sare::print_expanded(system) << "\n" << failure(again));
        REQUIRE(again.has_value());
        REQUIRE(again->tensors == system.tensors);
        REQUIRE(again->stagings.empty());
        REQUIRE(again->outputs == system.outputs);
    }
}

TEST_CASE("staging and unstaging are inverse to each other") {
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        Choices choices(random_source(seed));
        const sare::Algorithm algorithm = testing::random_algorithm(choices, Numbers::wild, 3);
        INFO("seed " << seed);
        const sare::Sare staged = sare::stage(algorithm);
        const auto checked = sare::check(staged);
        INFO(failure(checked));
        REQUIRE(checked.has_value());
        const auto back = sare::unstage(staged);
        INFO(failure(back));
        REQUIRE(back.has_value());
        REQUIRE(*back == algorithm);
        REQUIRE(sare::stage(*back) == staged);
    }
}
