#include "generators/affine/coalesce.h"

#include <string>
#include <vector>

#include "generators/affine/context.h"
#include "generators/base/choice.h"
#include "tests/support/catch.h"

namespace haruspex::affine {
namespace {

// A union of boxes; a remainder, a quotient or an equation excludes some points.
std::string drawn(Choices& choices) {
    const auto number = [&](std::int64_t low, std::int64_t high) { return std::to_string(choices.integer(low, high)); };
    const bool is_plane = choices.boolean(500);
    const auto sum = [&] { return number(-2, 2) + "*x" + (is_plane ? " + " + number(-2, 2) + "*y" : ""); };
    std::string text;
    choices.sequence(2, 4, 500, [&](std::size_t) {
        text += text.empty() ? "" : "; ";
        text += is_plane ? "[x, y] : " + number(-3, 3) + " <= y <= " + number(0, 7) + " and " : std::string("[x] : ");
        text += number(-3, 3) + " <= x <= " + number(0, 7);
        switch (choices.integer(0, 3)) {
            case 0: break;
            case 1: text += " and (" + sum() + " + " + number(0, 3) + ") mod " + number(2, 5) + " = 0"; break;
            case 2: text += " and floor((" + sum() + ")/" + number(2, 4) + ") <= " + number(-1, 3); break;
            default: text += " and " + sum() + " = " + number(-2, 4);
        }
    });
    return "{ " + text + " }";
}

TEST_CASE("fewer parts are the same set") {
    const Context context;
    unsigned fewer = 0, kept = 0;
    for (std::uint64_t n = 0; n < 2000; ++n) {
        Choices choices(random_source(derive_seed(2025, n)));
        const isl::set parts(context.ctx(), drawn(choices));
        const isl::set joined = coalesced(parts);
        INFO(n);
        CHECK(joined.is_equal(parts));
        fewer += joined.n_basic_set() < parts.n_basic_set() ? 1 : 0;
        kept += joined.n_basic_set() > parts.coalesce().n_basic_set() ? 1 : 0;
    }
    CHECK(fewer > 200);
    CHECK(kept < 20);
}

TEST_CASE("where isl would add a point the parts stay, of relations and of expressions too") {
    const std::string two = "0 <= i <= 1 or (i mod 4 = 0 and 0 <= i <= 4)";
    const Context context;
    const isl::set set(context.ctx(), "{ [i] : " + two + " }");
    CHECK(coalesced(set).is_equal(set));
    const isl::map map(context.ctx(), "{ [i] -> [7] : " + two + " }");
    CHECK(coalesced(map).is_equal(map));
    CHECK(coalesced(map.to_union_map()).is_equal(map.to_union_map()));
    CHECK(coalesced(set.to_union_set()).is_equal(set.to_union_set()));
    const isl::pw_aff value(context.ctx(), "[i] -> { [(7)] : " + two + " }");
    CHECK(coalesced(value).domain().is_equal(value.domain()));
}

TEST_CASE("what isl joined rightly is fewer parts, though it would add a point elsewhere") {
    const Context context;
    const isl::set set(
        context.ctx(),
        "{ [i, 0] : 0 <= i <= 1 or (i mod 4 = 0 and 0 <= i <= 4); [i, 9] : 0 <= i <= 2 or 3 <= i <= 5 }");
    REQUIRE(set.n_basic_set() == 4);
    // isl 0.25 joins the first two parts wrongly; other versions join them correctly.
    const unsigned parts = set.coalesce().is_equal(set) ? 2 : 3;
    const isl::set joined = coalesced(set);
    CHECK(joined.is_equal(set));
    CHECK(joined.n_basic_set() == parts);
    const isl::map map = set.identity();
    REQUIRE(map.n_basic_map() == 4);
    CHECK(coalesced(map).is_equal(map));
    CHECK(coalesced(map).n_basic_map() == parts);
    const auto constant = [&](const std::string& number, const std::string& where) {
        return isl::pw_aff(context.ctx(), "[i] -> { [(" + number + ")] }")
            .intersect_domain(isl::set(context.ctx(), "[i] -> { : " + where + " }"));
    };
    const isl::pw_aff value = constant("7", "0 <= i <= 1 or (i mod 4 = 0 and 0 <= i <= 4)")
                                  .union_add(constant("8", "10 <= i <= 12 or 13 <= i <= 15"));
    const isl::pw_aff found = coalesced(value);
    CHECK(found.domain().is_equal(value.domain()));
    CHECK(found.ne_set(value).is_empty());
}

}  // namespace
}  // namespace haruspex::affine
