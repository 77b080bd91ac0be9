#include "generators/base/failed_check.h"

#include <vector>

#include "tests/support/catch.h"

namespace haruspex {
namespace {

// In Halide's words: of versions 14, 21, and 21 where the place is not told.
const FailedCheck old{"Prefetch.cpp", {}, "!new_bounds.empty()", ""};
const FailedCheck placed{"Prefetch.cpp", "add_prefetch", {}, ""};
const FailedCheck terse{{}, {}, {}, ""};

FailedCheck saying(FailedCheck check, std::string words) {
    check.words = std::move(words);
    return check;
}

}  // namespace

TEST_CASE("two failed checks are one as far as both are told") {
    const std::vector<FailedCheck> all{old, placed, terse};
    for (const FailedCheck& a : all) {
        for (const FailedCheck& b : all) {
            CHECK(is_same_check(a, b));
            CHECK_FALSE(is_same_check(saying(a, "no such name"), b));
            CHECK(is_same_check(saying(a, "no such name"), saying(b, "no such name")));
        }
    }
    CHECK_FALSE(is_same_check({"Prefetch.cpp", {}, "!bounds.empty()", ""}, old));
    CHECK_FALSE(is_same_check({"Bounds.cpp", {}, {}, ""}, old));
    CHECK_FALSE(is_same_check({"Prefetch.cpp", "build_bounds", {}, ""}, placed));
    CHECK(is_same_check({"Prefetch.cpp", "build_bounds", {}, ""}, old));
}

TEST_CASE("words, a condition or a function name the place of a check, its file does not") {
    CHECK(names_place(old, old));
    CHECK(names_place(placed, placed));
    CHECK_FALSE(names_place(old, placed));
    CHECK_FALSE(names_place(old, terse));
    CHECK_FALSE(names_place(terse, terse));
    CHECK(names_place(saying(old, "no such name"), saying(terse, "no such name")));
    CHECK_FALSE(names_place({"Prefetch.cpp", {}, "", ""}, {"Prefetch.cpp", {}, "", ""}));
}

TEST_CASE("a failed check is printed without what is not told") {
    CHECK(to_string(old) == "Prefetch.cpp: !new_bounds.empty()");
    CHECK(to_string(saying(placed, "no such name")) == "Prefetch.cpp, add_prefetch: no such name");
    CHECK(to_string(saying(terse, "no such name")) == "no such name");
    CHECK(to_string(terse).empty());
}

}  // namespace haruspex
