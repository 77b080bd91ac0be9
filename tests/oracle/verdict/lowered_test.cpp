#include "oracle/verdict/lowered.h"

#include "tests/support/catch.h"

namespace haruspex::verdict {

TEST_CASE("what a lowered program does has a line") {
    LoweredOutcome troubled{
        LoweredState::troubled, {}, TroubleKind::out_of_bounds_read, "reads in[4]", "f[x] := in[x]"};
    troubled.position = {{"x", 4}, {"y", -1}};
    CHECK(to_string(troubled) == "out_of_bounds_read: reads in[4]: `f[x] := in[x]` at x = 4, y = -1");
    const LoweredOutcome refuses{LoweredState::refuses, {}, {}, "fails", "assert x", {}, "halide_error_bad_fold"};
    CHECK(to_string(refuses) == "fails: `assert x`");
    CHECK(to_string(LoweredOutcome{LoweredState::equal, {}, {}, {}, {}}) == "agrees");
    CHECK(to_string(LoweredOutcome{LoweredState::malformed, {}, {}, "no name", {}}) == "malformed: no name");
    CHECK(to_string(LoweredOutcome{LoweredState::unknown, NotRun::untranslated, {}, "half floats", {}}) ==
          "unsupported: half floats");
    CHECK(to_string(LoweredOutcome{LoweredState::too_large, NotRun::steps, {}, "too long", {}}) == "not run: too long");
}

TEST_CASE("a program that has no translation is none that was not run") {
    const auto unknown = [](NotRun reason) { return LoweredOutcome{LoweredState::unknown, reason, {}, {}, {}}; };
    for (const NotRun reason : {NotRun::untranslated, NotRun::free_variable, NotRun::long_text}) {
        CHECK_FALSE(is_not_run(unknown(reason)));
    }
    for (const NotRun reason : {NotRun::steps, NotRun::regions, NotRun::parameters, NotRun::nothing_lowered}) {
        CHECK(is_not_run(unknown(reason)));
    }
    CHECK_FALSE(is_not_run({LoweredState::equal, {}, {}, {}, {}}));
    CHECK_FALSE(is_right(std::nullopt));
}

TEST_CASE("names of states, reasons and troubles read back") {
    for (const TroubleKind kind : all_trouble_kinds) { CHECK(parse_trouble_kind(name(kind)) == kind); }
    for (int state = 0; state <= static_cast<int>(LoweredState::malformed); ++state) {
        CHECK(parse_lowered_state(name(static_cast<LoweredState>(state))) == static_cast<LoweredState>(state));
    }
    for (int reason = 0; reason <= static_cast<int>(NotRun::regions); ++reason) {
        CHECK(parse_not_run(name(static_cast<NotRun>(reason))) == static_cast<NotRun>(reason));
    }
    CHECK_FALSE(parse_trouble_kind("race"));
    CHECK_FALSE(parse_lowered_state(""));
}

}  // namespace haruspex::verdict
