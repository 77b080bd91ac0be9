#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "generators/base/feature.h"
#include "generators/base/sizes.h"
#include "oracle/verdict/obligation_kind.h"

// The part of the validator's answer that a verdict carries; validator::Verdict has the proof as well.
namespace haruspex::verdict {

enum class Outcome : std::uint8_t {
    validated,    // every obligation holds
    refuted,      // an obligation fails, and the interpreters show it at some sizes
    undecided,    // an obligation is not shown, and no counterexample to the program is found
    unsupported,  // the program uses a feature that the validator does not decide
};
std::string_view name(Outcome outcome);  // "validated", …
std::optional<Outcome> parse_outcome(std::string_view name);

// The meaning of floats in a proof.
enum class Floats : std::uint8_t {
    ieee,      // IEEE's, or there are none
    numbers,   // IEEE's, but none is NaN, and zeros of either sign are equal
    abstract,  // exact on special values; sums of real numbers, in which order and grouping do not matter
    real,      // exact real numbers: rounding is ignored
};
std::string_view name(Floats floats);  // "ieee", …
std::optional<Floats> parse_floats(std::string_view name);

// The obstacle to a proof.
enum class Cause : std::uint8_t {
    none,            // there is no obstacle: it is validated
    obligation,      // an obligation is violated, or not shown
    run,             // a run is wrong, whatever the obligations say
    feature,         // the program uses a feature that the validator does not decide
    budget,          // a budget is spent; `what` names the work: steps, terms, isl operations
    compiler_limit,  // the compiler was stopped before the program was lowered; another time it may not be
    not_compared,    // the counterexample is a differing value, but results of the case may be rounded
    not_confirmed,   // refuted, but the lowered program is right at the sizes of the counterexample
    not_run,         // refuted, but at the sizes of the counterexample neither a run nor a proof decides
    contradiction,   // every obligation holds, but the interpreters show that the program is wrong: our own fault
};
std::string_view name(Cause cause);  // "none", …
std::optional<Cause> parse_cause(std::string_view name);

struct Validation {
    Outcome outcome = Outcome::undecided;
    Floats floats = Floats::ieee;  // of a proof

    // For a proof: whether it is for all sizes; a condition of the program's own that the sizes must meet ("4 <= W");
    // and whether it excludes sizes at which an output's box has a negative extent.
    bool is_for_all_sizes = false;
    std::optional<std::string> premise = std::nullopt;
    bool needs_proper_boxes = false;
    // Whether it is about inputs alone for which no sum of some summands of a reduction overflows, with or without the
    // value before it: the program adds signed integers in another order than the specification.
    bool needs_fitting_sums = false;

    Cause cause = Cause::none;
    std::optional<ObligationKind> obligation = std::nullopt;
    // The obstacle in more detail. `kind` is the trouble of the run, the feature, or the work whose budget is spent; it
    // is empty for an obligation. `detail` is for people.
    Feature what{};
    // The case's sizes at which a run confirms a refutation for all sizes.
    std::optional<Sizes> refuted_at = std::nullopt;

    // Whether sizes, or inputs, must meet a condition beyond the specification's assumptions.
    bool is_conditional() const { return outcome == Outcome::validated && (premise.has_value() || needs_fitting_sums); }
    bool operator==(const Validation&) const = default;
};

// A proof for all sizes, or for the given ones.
Validation proved(bool is_for_all_sizes);
// An outcome other than a proof, with its cause.
Validation obstructed(Outcome outcome, Cause cause, Feature what);
Validation obstructed(Outcome outcome, ObligationKind obligation, std::string detail);
// The answer for a program that the validator does not decide because of this feature.
inline Validation unsupported(Feature what) {
    return obstructed(Outcome::unsupported, Cause::feature, std::move(what));
}
// The obstacle to a proof about IEEE floats: the program has floats that are not strict, which the compiler need not
// treat as IEEE's (sched/syntax.h). Only a proof with real numbers covers them.
inline Feature loose_floats() { return {"floats that are not strict", {}}; }

// Whether the validator ran and returned this outcome.
bool has_outcome(const std::optional<Validation>& validation, Outcome outcome);

// The scope of a proof ("for all sizes", "when 4 <= W"); otherwise the obstacle to one ("value: f[x] := 1").
std::string reason(const Validation& validation);
// "validated for all sizes, floats being real numbers", "refuted: value: f[x] := 1".
std::string to_string(const Validation& validation);
// Without details: "validated", "validated when", "refuted: value", "unsupported: product of indices".
std::string summary(const Validation& validation);
// The summary without the outcome: "value"; empty for a proof.
std::string cause_of(const Validation& validation);

}  // namespace haruspex::verdict
