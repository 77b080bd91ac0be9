#include "reports/bugs/versions.h"

#include "tests/support/catch.h"

namespace haruspex::bugs {
namespace {

using Rows = std::vector<AtVersion>;
using Versions = std::vector<std::string>;

AtVersion row(std::string version, Presence presence, std::optional<bool> program_fails = std::nullopt) {
    return {std::move(version), presence, {}, program_fails};
}

const Rows everywhere{row("14.0.0", Presence::shows), row("19.0.0", Presence::shows), row("21.0.0", Presence::shows)};
const Rows mended{row("14.0.0", Presence::shows), row("19.0.0", Presence::differs), row("21.0.0", Presence::gone)};

}  // namespace

TEST_CASE("a bug lives where its case shows it or its program fails") {
    CHECK(lives(row("14", Presence::shows)));
    CHECK(lives(row("14", Presence::shows, false)));  // a program may pass by accident
    CHECK(lives(row("14", Presence::differs)));
    CHECK(lives(row("14", Presence::differs, true)));
    CHECK_FALSE(lives(row("14", Presence::differs, false)));
    for (const Presence presence : {Presence::gone, Presence::refused, Presence::not_run}) {
        CHECK_FALSE(lives(row("14", presence)));
        CHECK_FALSE(lives(row("14", presence, false)));
        CHECK(lives(row("14", presence, true)));
        CHECK(is_decided(row("14", presence, false)));
        CHECK(is_decided(row("14", presence)) == (presence == Presence::gone));
    }
}

TEST_CASE("first and last bad version, and the one in which it is mended") {
    CHECK(span(everywhere) == Span{"14.0.0", "21.0.0", std::nullopt, {}, {}});
    CHECK(span(mended) == Span{"14.0.0", "19.0.0", "21.0.0", {}, {}});
    CHECK(span({row("14.0.0", Presence::gone), row("19.0.0", Presence::shows)}) ==
          Span{"19.0.0", "19.0.0", std::nullopt, {}, {}});
    CHECK(span({row("14.0.0", Presence::gone)}) == Span{});
    CHECK(span({}) == Span{});
}

TEST_CASE("gaps between bad versions are told, and a version of which nothing is known mends nothing") {
    CHECK(span({row("14.0.0", Presence::shows), row("15.0.0", Presence::refused), row("19.0.0", Presence::gone),
                row("21.0.0", Presence::shows)}) == Span{"14.0.0", "21.0.0", std::nullopt, {"19.0.0"}, {"15.0.0"}});
    CHECK(span({row("14.0.0", Presence::shows), row("19.0.0", Presence::refused), row("21.0.0", Presence::gone)}) ==
          Span{"14.0.0", "14.0.0", "21.0.0", {}, {}});
    CHECK(span({row("14.0.0", Presence::shows), row("19.0.0", Presence::refused)}).mended_in == std::nullopt);
}

TEST_CASE("versions in words") {
    CHECK(describe(everywhere) == "lives in 14, 19 and 21");
    CHECK(describe(mended) == "lives in 14 and 19, mended in 21");
    CHECK(describe({row("14.0.0", Presence::shows), row("19.0.0", Presence::gone), row("21.0.0", Presence::shows)}) ==
          "lives in 14 and 21, not in 19");
    CHECK(describe({row("14.0.0", Presence::shows), row("19.0.0", Presence::refused),
                    row("21.0.0", Presence::shows)}) == "lives in 14 and 21, unknown in 19");
    CHECK(describe({row("14.0.0", Presence::gone), row("19.0.0", Presence::gone)}) == "not seen in 14 and 19");
    CHECK(describe({row("14.0.0", Presence::refused)}).empty());
    CHECK(describe({}).empty());
    CHECK(bad_versions(mended) == "14 and 19");
    CHECK(in_short("14.0.0") == "14");
    CHECK(in_short("19.0.1") == "19.0.1");
    CHECK(in_short("14.10.0") == "14.10");
    CHECK(listed({}).empty());
    CHECK(listed({"a"}) == "a");
    CHECK(listed({"a", "b", "c"}) == "a, b and c");
}

TEST_CASE("rows are counted by the versions in which bugs live") {
    const Rows fresh{row("21.0.0", Presence::not_run, true)};
    const auto counted = [](const std::vector<Rows>& bugs) { return to_string(count_of(bugs)); };
    CHECK(counted({everywhere, mended, fresh, {}}) ==
          "4 bugs: 2 live in 14 (1 not known), 2 in 19 (1 not known) and 2 in 21; versions not known: 1");
    CHECK(counted({fresh}) == "1 bug: 1 lives in 21");
    CHECK(counted({{}}) == "1 bug; versions not known: 1");
    // Two builds of one version.
    CHECK(counted({{row("14.0.0", Presence::refused), row("14.0.0", Presence::shows)}}) == "1 bug: 1 lives in 14");
}

TEST_CASE("rows stay sorted by version, and a new row keeps what it does not know") {
    Rows rows;
    for (const char* version : {"19.0.0", "9.1", "21.0.0", "14.0.0"}) { put(rows, row(version, Presence::gone)); }
    CHECK(rows == Rows{row("9.1", Presence::gone), row("14.0.0", Presence::gone), row("19.0.0", Presence::gone),
                       row("21.0.0", Presence::gone)});
    put(rows, {"19.0.0", Presence::differs, "wrong_code", {}});
    put(rows, row("19.0.0", Presence::not_run, true));
    REQUIRE(rows.size() == 4);
    CHECK(rows[2] == AtVersion{"19.0.0", Presence::differs, "wrong_code", true});
    put(rows, row("19.0.0", Presence::shows));
    CHECK(rows[2] == row("19.0.0", Presence::shows, true));
}

}  // namespace haruspex::bugs
