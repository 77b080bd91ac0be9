#include "reports/render/table.h"

#include "tests/support/catch.h"

using namespace haruspex;
using render::left;
using render::right;
using render::Table;

TEST_CASE("columns of a fixed width are filled up, and a longer cell moves the rest of its line") {
    const Table table{"", {"class", "cases", "first"}, {{"agrees", "7", "0, 1"}, {"much too long", "12345", ""}}};
    CHECK(to_text(table, {left(8), right(6), left(0, 2)}) ==
          "class    cases  first\n"
          "agrees       7  0, 1\n"
          "much too long 12345  \n");
}

TEST_CASE("columns without a width are as wide as their longest cell, and nothing follows the last cell of a row") {
    CHECK(to_text(Table{"", {"a 1", "b 2"}, {{"fails", "-", "one"}, {"fixed", "fixed", "two"}}}) ==
          "a 1    b 2\n"
          "fails  -      one\n"
          "fixed  fixed  two\n");
    CHECK(to_text(Table{}).empty());
}
