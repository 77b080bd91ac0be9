#include "oracle/verdict/validation.h"

#include "tests/support/catch.h"

namespace haruspex::verdict {
namespace {

Validation with_premise(std::string premise) {
    Validation validation = proved(true);
    validation.premise = std::move(premise);
    return validation;
}

Validation with_floats(Validation validation, Floats floats) {
    validation.floats = floats;
    return validation;
}

Validation because(Cause cause) {
    Validation validation = obstructed(Outcome::undecided, ObligationKind::value, "f[x] := 1");
    validation.cause = cause;
    return validation;
}

}  // namespace

TEST_CASE("what the validator says has a line, and a summary without particulars") {
    struct Line {
        Validation validation;
        std::string text, summary;
    };
    for (const auto& [validation, text, expected] : {
             Line{proved(true), "validated for all sizes", "validated"},
             Line{proved(false), "validated for the given sizes", "validated"},
             Line{with_premise("4 <= W and W <= 9"), "validated when 4 <= W and W <= 9", "validated when"},
             Line{with_floats(proved(true), Floats::real), "validated for all sizes, floats being real numbers",
                  "validated"},
             Line{with_floats(with_premise("W <= 9"), Floats::numbers), "validated when W <= 9, floats being numbers",
                  "validated when"},
             Line{obstructed(Outcome::refuted, ObligationKind::value, "f[x] := a[x: 1]"),
                  "refuted: value: f[x] := a[x: 1]", "refuted: value"},
             Line{obstructed(Outcome::refuted, Cause::run, {"read_write_race", "reads f[0]"}),
                  "refuted: read_write_race: reads f[0]", "refuted: read_write_race"},
             Line{obstructed(Outcome::undecided, Cause::budget, {"steps", ""}), "undecided: steps", "undecided: steps"},
             Line{unsupported({"linear memory", "f[7*x]"}), "unsupported: linear memory: f[7*x]",
                  "unsupported: linear memory"},
             Line{unsupported(loose_floats()), "unsupported: floats that are not strict",
                  "unsupported: floats that are not strict"},
             Line{because(Cause::not_confirmed), "undecided: refuted, not confirmed: value: f[x] := 1",
                  "undecided: refuted, not confirmed"},
             Line{because(Cause::not_run), "undecided: refuted, not run: value: f[x] := 1",
                  "undecided: refuted, not run"},
             Line{because(Cause::not_compared), "undecided: not compared: value: f[x] := 1", "undecided: not compared"},
             Line{obstructed(Outcome::undecided, Cause::compiler_limit, {"", "CPU limit of 15000 ms"}),
                  "undecided: time limit: CPU limit of 15000 ms", "undecided: time limit"},
         }) {
        CHECK(to_string(validation) == text);
        CHECK(summary(validation) == expected);
        CHECK(has_outcome(validation, validation.outcome));
    }
    Validation boxes = proved(true);
    boxes.needs_proper_boxes = true;
    CHECK(to_string(boxes) == "validated for all sizes at which no output's box has a negative extent");
    boxes.needs_fitting_sums = true;
    CHECK(
        to_string(boxes) ==
        "validated for all sizes at which no output's box has a negative extent, as long as no partial sum overflows");
    Validation premise = with_premise("4 <= W");
    premise.needs_fitting_sums = true;
    CHECK(to_string(premise) == "validated when 4 <= W, as long as no partial sum overflows");
    CHECK_FALSE(has_outcome(std::nullopt, Outcome::undecided));
}

TEST_CASE("a proof has a condition when there is a premise, and what is not proved has none") {
    CHECK(with_premise("4 <= W").is_conditional());
    CHECK_FALSE(proved(true).is_conditional());
    Validation fitting = proved(true);
    fitting.needs_fitting_sums = true;
    CHECK(fitting.is_conditional());
    CHECK(summary(fitting) == "validated when");
    CHECK_FALSE(obstructed(Outcome::refuted, Cause::run, {"when", "it runs"}).is_conditional());
}

TEST_CASE("every name reads back") {
    for (const ObligationKind kind : all_obligation_kinds) { CHECK(parse_obligation_kind(name(kind)) == kind); }
    for (const Outcome outcome : {Outcome::validated, Outcome::refuted, Outcome::undecided, Outcome::unsupported}) {
        CHECK(parse_outcome(name(outcome)) == outcome);
    }
    for (const Floats floats : {Floats::ieee, Floats::numbers, Floats::real}) {
        CHECK(parse_floats(name(floats)) == floats);
    }
    for (int cause = 0; cause <= static_cast<int>(Cause::contradiction); ++cause) {
        CHECK(parse_cause(name(static_cast<Cause>(cause))) == static_cast<Cause>(cause));
    }
    CHECK_FALSE(parse_obligation_kind("values"));
    CHECK_FALSE(parse_outcome(""));
    CHECK_FALSE(parse_cause("Budget"));
}

}  // namespace haruspex::verdict
