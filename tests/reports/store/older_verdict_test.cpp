#include "reports/store/older_verdict.h"

#include "reports/store/verdict_json.h"
#include "tests/support/catch.h"

// The verdicts of campaigns before version 2 of the verdict's parts.
namespace haruspex::store {
namespace {

using verdict::Cause;
using verdict::LoweredState;
using verdict::NotRun;
using verdict::Outcome;

}  // namespace

TEST_CASE("an older line about the lowered program is read into its parts, and printed as it was") {
    struct Line {
        std::string text;
        LoweredState state;
        std::optional<NotRun> not_run;
        std::optional<verdict::TroubleKind> trouble;
    };
    using enum verdict::TroubleKind;
    for (const auto& [text, state, not_run, trouble] : {
             Line{"agrees", LoweredState::equal, {}, {}},
             Line{"f(1) is 2i32, expected 1i32; 3 of 4 cells differ", LoweredState::differs, {}, {}},
             Line{"f(1) is undef_i32, expected 1i32; 3 of 4 cells differ", LoweredState::overflows, {}, {}},
             Line{"f(1) is uninit_i32, expected 1i32; 3 of 4 cells differ", LoweredState::troubled, {}, {}},
             Line{"out_of_bounds_read: reads f[3], which is out of bounds [0, 3): `f[x] := `odd`` at x = 0, y = -1",
                  LoweredState::troubled,
                  {},
                  out_of_bounds_read},
             Line{"deadlock: nobody runs", LoweredState::troubled, {}, deadlock},
             Line{"fails with \"halide_error_bad_fold: f: x\": `assert 0 <= x \"halide_error_bad_fold: f: x\"`",
                  LoweredState::refuses,
                  {},
                  {}},
             Line{"unsupported: half floats", LoweredState::unknown, NotRun::untranslated, {}},
             Line{"unsupported: the free variable t3", LoweredState::unknown, NotRun::free_variable, {}},
             Line{"unsupported: a text longer than 16777216 bytes", LoweredState::too_large, NotRun::long_text, {}},
             Line{"not run: nothing lowered", LoweredState::unknown, NotRun::nothing_lowered, {}},
             Line{"not run: the program is long", LoweredState::too_large, NotRun::slow_to_compile, {}},
             Line{"not run: the program needs more than 12 steps", LoweredState::too_large, NotRun::steps, {}},
             Line{"not run: the bounds query does not converge", LoweredState::unknown, NotRun::regions, {}},
             Line{"not run: nothing is known of array in0", LoweredState::unknown, NotRun::parameters, {}},
             Line{"malformed: lowered:1:3: expected a name", LoweredState::malformed, {}, {}},
         }) {
        INFO(text);
        const verdict::LoweredOutcome lowered = parse_older_lowered(text);
        CHECK(lowered.state == state);
        CHECK(lowered.not_run == not_run);
        CHECK(lowered.trouble == trouble);
        CHECK(to_string(lowered) == text);
    }
    const verdict::LoweredOutcome beyond =
        parse_older_lowered("read_after_free: reads t[1]: `x := `odd`` at x = 0, y = -1");
    CHECK(beyond.detail == "reads t[1]");
    CHECK(beyond.statement == "x := `odd`");
    CHECK(beyond.position == decltype(beyond.position){{"x", 0}, {"y", -1}});
    CHECK(parse_older_lowered("fails with \"halide_error_bad_fold: f: x\": `assert`").error == "halide_error_bad_fold");
    CHECK(parse_older_lowered("fails with \"x is small\": `assert`").error.empty());
}

TEST_CASE("an older line of the validator is read into its parts, and printed as it was") {
    struct Line {
        std::string text;
        Outcome outcome;
        Cause cause;
        std::string summary;
    };
    for (const auto& [text, outcome, cause, expected] : {
             Line{"validated for all sizes", Outcome::validated, Cause::none, "validated"},
             Line{"validated for the given sizes", Outcome::validated, Cause::none, "validated"},
             Line{"validated when 4 <= W and W <= 9", Outcome::validated, Cause::none, "validated when"},
             Line{"validated for all sizes, floats being real numbers", Outcome::validated, Cause::none, "validated"},
             Line{"validated when W <= 9, floats being numbers", Outcome::validated, Cause::none, "validated when"},
             Line{"validated for all sizes at which no output's box has a negative extent", Outcome::validated,
                  Cause::none, "validated"},
             Line{"refuted: value: f[x] := a[x: 1]", Outcome::refuted, Cause::obligation, "refuted: value"},
             Line{"refuted: out_of_bounds_read: reads in[12]: `f[x] := 1`", Outcome::refuted, Cause::run,
                  "refuted: out_of_bounds_read"},
             Line{"undecided: evaluation: isl's budget of operations is spent", Outcome::undecided, Cause::budget,
                  "undecided: evaluation"},
             Line{"undecided: coverage: f(3) is not shown", Outcome::undecided, Cause::obligation,
                  "undecided: coverage"},
             Line{"unsupported: linear memory: f[7*x]", Outcome::unsupported, Cause::feature,
                  "unsupported: linear memory"},
             Line{"unsupported: floats that are not strict", Outcome::unsupported, Cause::feature,
                  "unsupported: floats that are not strict"},
             Line{"undecided: refuted, not confirmed: value: f[x] := 1", Outcome::undecided, Cause::not_confirmed,
                  "undecided: refuted, not confirmed"},
             Line{"undecided: refuted, not run: value: f[x] := 1", Outcome::undecided, Cause::not_run,
                  "undecided: refuted, not run"},
             Line{"undecided: not compared: value: f[x] := 1", Outcome::undecided, Cause::not_compared,
                  "undecided: not compared"},
             Line{"unsupported: time limit: CPU limit of 15000 ms", Outcome::unsupported, Cause::compiler_limit,
                  "unsupported: time limit"},
         }) {
        INFO(text);
        const auto validation = parse_older_validation(text);
        REQUIRE(validation);
        CHECK(validation->outcome == outcome);
        CHECK(validation->cause == cause);
        CHECK(to_string(*validation) == text);
        CHECK(summary(*validation) == expected);
    }
    // Refutations by a run at given sizes had no kind.
    const auto shown = parse_older_validation("refuted: f(3) is 5i32, expected 4i32");
    REQUIRE(shown);
    CHECK(shown->cause == Cause::run);
    CHECK(summary(*shown) == "refuted: value");
    for (const char* text : {"", "validated", "validated: for all sizes", "refuted value", "proved: for all sizes"}) {
        CHECK_FALSE(parse_older_validation(text));
    }
}

TEST_CASE("an older line about indices is read into its parts, and printed as it was") {
    for (const std::string text : {"fit 32 bits", "fit 32 bits for sizes up to 4096", "fit 32 bits at these sizes",
                                   "are not known to fit 32 bits", "are not known to fit 32 bits at these sizes"}) {
        INFO(text);
        const auto fit = parse_older_indices(text);
        REQUIRE(fit);
        CHECK(to_string(*fit) == text);
    }
    for (const char* text : {"", "fit", "fit 32 bits for sizes up to many"}) { CHECK_FALSE(parse_older_indices(text)); }
}

TEST_CASE("a verdict whose parts are lines is read") {
    const auto read = parse_verdict(
        R"({"class": "program_hang", "message": "deadlock: every thread waits", "phase": "first run", "signal": 0,)"
        R"( "difference": null, "lowered": "agrees", "validator": "validated for the given sizes",)"
        R"( "all_sizes": "undecided: value: f", "indices": "fit 32 bits at these sizes", "pass": "(a, b]"})",
        "verdict.json");
    REQUIRE(read);
    CHECK(is_deadlock(*read));
    CHECK(is_right(read->lowered));
    CHECK(has_outcome(read->own_sizes, Outcome::validated));
    CHECK(has_outcome(read->all_sizes, Outcome::undecided));
    CHECK(read->indices == verdict::IndexFit{false, true});
    CHECK(read->pass == verdict::PassInterval{"a", "b"});
    // It is written in the current form.
    const auto again = parse_verdict(to_json(*read), "verdict.json");
    REQUIRE(again);
    CHECK(*again == *read);
}

TEST_CASE("the message of a verdict with parts of now is only for people") {
    const auto read = parse_verdict(
        R"({"class": "program_hang", "message": "deadlock: every thread waits", "phase": "first run", "signal": 0,)"
        R"( "difference": null, "lowered": {"state": "equal"}})",
        "verdict.json");
    REQUIRE(read);
    CHECK_FALSE(is_deadlock(*read));
}

}  // namespace haruspex::store
