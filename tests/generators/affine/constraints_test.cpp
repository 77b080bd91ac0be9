#include "generators/affine/constraints.h"

#include "generators/affine/context.h"
#include "generators/affine/sets.h"
#include "tests/support/catch.h"

using namespace haruspex;
using affine::Assignment;

namespace {

// Whether isl finds the point in the set.
bool contains_by_isl(const isl::set& set, const Assignment& assignment) {
    return !affine::fix_parameters(set, {assignment.begin(), assignment.end()}).is_empty();
}

std::int64_t evaluate_by_isl(const isl::pw_aff& expression, const Assignment& assignment) {
    isl::pw_aff fixed = expression;
    for (const auto& [name, value] : assignment) {
        const isl::space params = isl::space::unit(expression.ctx()).add_param(name);
        const isl::pw_aff parameter(params.param_aff_on_domain(name));
        const isl::pw_aff constant(params.zero_aff_on_domain().add_constant(static_cast<long>(value)));
        fixed = fixed.intersect_params(parameter.eq_set(constant));
    }
    return std::stol(affine::to_string(fixed.max_val()));
}

}  // namespace

TEST_CASE("the plain form of a set has the same points") {
    const affine::Context context;
    std::size_t inside = 0;
    std::size_t outside = 0;
    for (const char* text : {
             "[x, y] -> { : }",
             "[x, y] -> { : x > x }",
             "[x, y] -> { : 0 <= x < y }",
             "[x, y] -> { : x = y or x = 2y + 1 }",
             "[x, y] -> { : x mod 3 = 1 and y < 2 }",
             "[x, y] -> { : exists a : x = 4a + y and 0 <= y < 3 }",
             "[x, y] -> { : exists a, b : x = 2a + 3b and 0 <= a < 2 and y <= b <= y + 1 }",
             "[x, y] -> { : floor((x + floor((y - 1)/2))/3) = 1 }",
             "[x, y] -> { : exists a : 3a <= x <= 3a + y and 2a >= y - 3 and 5a <= 2x + 7 }",
             "[x, y] -> { : not exists a : x = 3a + 2y }",
             "[y, x] -> { : -7x + 5y >= -3 and x + 2y <= 4 }",
         }) {
        const isl::set set(context.ctx(), text);
        const auto plain = affine::disjunction(set);
        REQUIRE(plain.has_value());
        INFO(text << " is " << affine::to_string(*plain));
        for (std::int64_t x = -7; x <= 7; ++x) {
            for (std::int64_t y = -7; y <= 7; ++y) {
                const Assignment at{{"x", x}, {"y", y}};
                const auto is_inside = affine::contains(*plain, at);
                REQUIRE(is_inside.has_value());
                REQUIRE(*is_inside == contains_by_isl(set, at));
                ++(*is_inside ? inside : outside);
            }
        }
    }
    CHECK(inside > 200);
    CHECK(outside > 200);
}

TEST_CASE("the plain form of an affine expression has the same values") {
    const affine::Context context;
    for (const char* text : {
             "[x, y] -> { [3] }",
             "[x, y] -> { [2x - y + 3] }",
             "[y, x] -> { [floor((x - 2y)/3) - 2*floor((y)/4)] }",
             "[x, y] -> { [floor((x + floor((y - 1)/2))/3) + x] }",
             "[x, y] -> { [x mod 4] }",
             "[x, y] -> { [x] : x > y; [y + 1] : x <= y and y mod 2 = 0; [floor(x/5)] : x <= y and y mod 2 = 1 }",
         }) {
        const isl::pw_aff expression(context.ctx(), text);
        const auto plain = affine::pieces(expression);
        REQUIRE(plain.has_value());
        for (std::int64_t x = -6; x <= 6; ++x) {
            for (std::int64_t y = -6; y <= 6; ++y) {
                const Assignment at{{"x", x}, {"y", y}};
                int applicable = 0;
                for (const affine::Piece& piece : *plain) {
                    if (!affine::contains(piece.domain, at).value()) { continue; }
                    ++applicable;
                    INFO(text << " at " << x << ", " << y << ": " << affine::to_string(piece.value));
                    REQUIRE(affine::evaluate(piece.value, at) == evaluate_by_isl(expression, at));
                }
                REQUIRE(applicable == 1);
            }
        }
    }
}

TEST_CASE("an expression with a denominator is rounded down") {
    const affine::Context context;
    const isl::set domain(context.ctx(), "[x] -> { [y] : 2y = x }");
    const isl::pw_aff half = isl::pw_aff(domain.as_pw_multi_aff().at(0));
    const auto plain = affine::pieces(half);
    REQUIRE(plain.has_value());
    REQUIRE(plain->size() == 1);
    CHECK(affine::evaluate(plain->front().value, {{"x", -6}}) == -3);
    CHECK(affine::contains(plain->front().domain, {{"x", -6}}) == true);
    CHECK(affine::contains(plain->front().domain, {{"x", 5}}) == false);
}

TEST_CASE("what does not fit 64 bits is an error, or no value") {
    const affine::Context context;
    const auto wide = affine::disjunction(isl::set(context.ctx(), "[x, y] -> { : x >= 99999999999999999999y }"));
    REQUIRE(!wide.has_value());
    CHECK(wide.error().message.starts_with("a coefficient does not fit 64 bits: [x, y] -> { "));
    const auto fits = affine::disjunction(isl::set(context.ctx(), "[x, y] -> { : x >= 9223372036854775807y }"));
    REQUIRE(fits.has_value());
    CHECK(affine::contains(*fits, {{"x", 0}, {"y", 1}}) == false);
    CHECK(!affine::contains(*fits, {{"x", 0}, {"y", 2}}).has_value());
    CHECK(!affine::affine(isl::aff(context.ctx(), "[x] -> { [99999999999999999999x] }")).has_value());
    const auto sum = affine::affine(isl::aff(context.ctx(), "[x] -> { [x + 1] }"));
    REQUIRE(sum.has_value());
    CHECK(!affine::evaluate(*sum, {{"x", INT64_MAX}}).has_value());
    CHECK(affine::evaluate(*sum, {{"x", INT64_MAX - 1}}) == INT64_MAX);
}

TEST_CASE("isl's NaN is an error") {
    const affine::Context context;
    const auto nan = affine::affine(isl::aff(context.ctx(), "[x] -> { [NaN] }"));
    REQUIRE(!nan.has_value());
    CHECK(nan.error().message.starts_with("not a number: "));
}

TEST_CASE("a disjunction that holds by one disjunct holds whatever the others are") {
    const affine::Context context;
    const auto plain =
        affine::disjunction(isl::set(context.ctx(), "[x, y] -> { : x >= 9223372036854775807y or y = 2 }"));
    REQUIRE(plain.has_value());
    CHECK(affine::contains(*plain, {{"x", 0}, {"y", 2}}) == true);
    CHECK(!affine::contains(*plain, {{"x", 0}, {"y", 3}}).has_value());
}

TEST_CASE("plain forms print as one writes them") {
    const affine::Context context;
    const auto text = [&](const char* set) {
        return affine::to_string(affine::disjunction(isl::set(context.ctx(), set)).value());
    };
    CHECK(text("[x, y] -> { : x > x }") == "false");
    CHECK(text("[x, y] -> { : }") == "true");
    CHECK(text("[x, y] -> { : x >= 2y + 3 }") == "x - 2y - 3 >= 0");
    CHECK(affine::to_string(affine::affine(isl::aff(context.ctx(), "[x] -> { [2*floor((x + 1)/4) - 3] }")).value()) ==
          "2floor((x + 1)/4) - 3");
    CHECK(affine::to_string(affine::constant(INT64_MIN)) == "-9223372036854775808");
    CHECK(affine::to_string(affine::variable("n")) == "n");
}

TEST_CASE("the conversion obeys the budget of its context") {
    const affine::Context context;
    const isl::set set(context.ctx(), "[x, y] -> { : exists a : 3a <= x <= 3a + y and 2a >= y - 3 and 5a <= 2x + 7 }");
    const auto answer = affine::within(context, 5, [&] { return affine::disjunction(set).has_value(); });
    REQUIRE(!answer.has_value());
    CHECK(answer.error().message == "isl ran out of its budget of operations");
    CHECK(affine::disjunction(set).has_value());
}
