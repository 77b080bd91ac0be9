#include "reports/bugs/known_list.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/verdicts.h"

namespace haruspex::bugs {
namespace {

Known bug(std::string name, std::vector<AtVersion> versions, Status status = Status::open) {
    Known known{std::move(name), status, "r", "../regress/open/a", {}, {{a_symptom("wrong_code", "", ""), {}}}};
    known.versions = std::move(versions);
    return known;
}

AtVersion at(const char* version, Presence presence, std::optional<bool> program_fails = std::nullopt) {
    return {version, presence, "", program_fails};
}

std::string counted(const std::vector<Known>& known) {
    const auto counts = count_bugs(known);
    REQUIRE(counts.size() == 1);
    return to_string(counts[0]);
}

}  // namespace

TEST_CASE("bugs are counted by the versions in which they live") {
    const std::vector<Known> known{
        bug("a", {at("9.1.0", Presence::shows), at("14.0.0", Presence::shows), at("19.0.0", Presence::gone)}),
        bug("b", {at("9.1.0", Presence::gone), at("14.0.0", Presence::differs), at("19.0.0", Presence::gone, true)}),
        bug("c", {at("9.1.0", Presence::gone), at("14.0.0", Presence::shows, true), at("19.0.0", Presence::gone)},
            Status::fixed)};
    // The oldest version comes first, by its number; a program that fails shows the bug.
    CHECK(counted(known) == "3 bugs in Halide: 1 lives in 9.1, 3 in 14 and 1 in 19");
}

TEST_CASE("a version in which a bug was not tried is not one that lacks it") {
    const std::vector<Known> known{
        bug("a", {at("14.0.0", Presence::shows), at("21.0.0", Presence::refused)}),
        bug("b", {at("14.0.0", Presence::shows)}),
        bug("c", {at("14.0.0", Presence::gone), at("21.0.0", Presence::shows)}),
        bug("d", {}),
        bug("e", {at("14.0.0", Presence::not_run)}),
    };
    CHECK(counted(known) == "5 bugs in Halide: 2 live in 14 and 1 in 21 (2 not known); versions not known: 2");
    const render::Table table = table_of(known);
    CHECK(table.header == std::vector<std::string>{"bug", "14", "21", "upstream"});
    CHECK(table.rows[0] == std::vector<std::string>{"a", "lives", "refused", ""});
    CHECK(table.rows[1] == std::vector<std::string>{"b", "lives", "", ""});
    CHECK(table.rows[2] == std::vector<std::string>{"c", "gone", "lives", ""});
    CHECK(table.rows[3] == std::vector<std::string>{"d", "", "", ""});
}

TEST_CASE("bugs of which no version is known are counted, too") {
    CHECK(counted({bug("a", {})}) == "1 bug in Halide; versions not known: 1");
    CHECK(table_of({bug("a", {})}).header == std::vector<std::string>{"bug", "upstream"});
    CHECK(count_bugs({}).empty());
}

TEST_CASE("what is documented is listed, and not counted as a bug") {
    const std::vector<Known> known{bug("a", {at("14.0.0", Presence::shows)}),
                                   bug("b", {at("14.0.0", Presence::shows)}, Status::documented)};
    CHECK(counted(known) == "1 bug in Halide: 1 lives in 14");
    REQUIRE(table_of(known).rows.size() == 2);
    CHECK(table_of(known).rows[1].front() == "b (documented)");
}

TEST_CASE("the list in Markdown links to the reports and upstream") {
    Known found = bug("a", {}), none = bug("b", {}), elsewhere = bug("c", {});
    found.upstream = {LookUp::found, "https://example.org/1"};
    none.upstream = {LookUp::none_found, {}};
    elsewhere.report.clear();
    CHECK(markdown({found, none, elsewhere}) ==
          "| bug | upstream |\n"
          "| --- | --- |\n"
          "| [a](../regress/open/a) | <https://example.org/1> |\n"
          "| [b](../regress/open/a) | none found |\n"
          "| c |  |\n");
    CHECK(table_of({found}).rows[0] == std::vector<std::string>{"a", "https://example.org/1"});
}

}  // namespace haruspex::bugs
