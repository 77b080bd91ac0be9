#include "reports/campaign/drawn.h"

#include <algorithm>
#include <set>

#include "reports/campaign/settings.h"
#include "reports/store/sqlite.h"
#include "tests/reports/campaign/campaign_support.h"

using namespace haruspex;
using namespace haruspex::test;

namespace {

campaign::Drawn drawn_in(const fs::path& folder, bool with_pairs) {
    auto drawn = campaign::read_drawn(folder, with_pairs);
    INFO((drawn ? std::string() : to_string(drawn.error())));
    REQUIRE(drawn.has_value());
    return std::move(*drawn);
}

std::uint64_t integer(const store::sqlite::Connection& connection, const std::string& sql) {
    return static_cast<std::uint64_t>(connection.integer(sql));
}

std::string cases_with(const std::string& feature) {
    return "SELECT idx FROM case_features JOIN features USING (feature) WHERE name = '" + feature + "'";
}

}  // namespace

TEST_CASE("the features of a campaign are counted as by a look at each case") {
    Scratch scratch;
    const auto o = options(scratch / "out", 80, 2);
    run(o, mixed_mischief);
    const campaign::Drawn drawn = drawn_in(o.out, true);
    CHECK(drawn.cases == 80);
    CHECK(drawn.cases_of == "seed 7");
    const store::sqlite::Connection connection(o.out / "campaign.sqlite");
    CHECK(drawn.refused == integer(connection, "SELECT count(*) FROM cases WHERE class = 'rejected'"));
    CHECK(drawn.refused > 0);
    std::set<std::string> absent;
    for (const campaign::DrawnFeature& feature : drawn.features) {
        CAPTURE(feature.name);
        const std::string cases = cases_with(feature.name);
        CHECK(feature.cases == integer(connection, "SELECT count(*) FROM (" + cases + ")"));
        CHECK(refused(feature) ==
              integer(connection, "SELECT count(*) FROM cases WHERE class = 'rejected' AND idx IN (" + cases + ")"));
        if (feature.cases == 0) { absent.insert(feature.name); }
    }
    // 80 cases do not have everything, and no result of a case counts as drawn.
    CHECK_FALSE(absent.empty());
    CHECK(std::ranges::none_of(drawn.features, [](const auto& one) { return one.name.starts_with("lowered:"); }));
    std::size_t checked = 0, empty = 0;
    for (const campaign::DrawnPair& pair : drawn.pairs) {
        CHECK_FALSE((absent.contains(pair.first) || absent.contains(pair.second)));
        empty += pair.cases == 0 ? 1U : 0U;
        if (++checked % 50 != 0) { continue; }
        CAPTURE(pair.first, pair.second);
        CHECK(pair.cases == integer(connection, "SELECT count(*) FROM (" + cases_with(pair.first) + " INTERSECT " +
                                                    cases_with(pair.second) + ")"));
    }
    const std::size_t present = drawn.features.size() - absent.size();
    CHECK(drawn.pairs.size() == present * (present - 1) / 2);
    CHECK(empty > 0);
    const Json json = Json::parse(to_json(drawn));
    CHECK(json["features"].size() == drawn.features.size());
    CHECK(json["pairs"].size() == drawn.pairs.size());
    const std::string text = to_text(drawn);
    for (const std::string& name : absent) { CHECK(text.find(name) > text.find("\nno case has ")); }
    CHECK(text.find("no case has both of") != std::string::npos);
}

TEST_CASE("a folder without a campaign has no features") {
    Scratch scratch;
    CHECK_FALSE(campaign::read_drawn(scratch.path(), false).has_value());
    CHECK_FALSE(campaign::stored_options(scratch.path()).value().has_value());
    const auto o = options(scratch / "out", 0);
    run(o);
    const campaign::Drawn drawn = drawn_in(o.out, true);
    CHECK(drawn.cases == 0);
    CHECK(drawn.pairs.empty());
    CHECK(to_text(drawn).find("no case has") != std::string::npos);
    CHECK(campaign::stored_options(o.out).value().value().compiler == "halide");
}
