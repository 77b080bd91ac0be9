#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "generators/base/feature.h"
#include "oracle/verdict/obligation_kind.h"

// What the validator says of a program, as far as verdicts carry it; with its proof: oracle/validator.
namespace haruspex::verdict {

enum class Outcome : std::uint8_t {
    validated,    // every obligation holds
    refuted,      // an obligation fails, and the interpreters show it at some sizes
    undecided,    // an obligation is not shown, and no counterexample to the program is found
    unsupported,  // the program uses what the validator does not decide
};
std::string_view name(Outcome outcome);  // "validated", …
std::optional<Outcome> parse_outcome(std::string_view name);

// What floats are in a proof.
enum class Floats : std::uint8_t {
    ieee,     // IEEE's, or there are none
    numbers,  // IEEE's, but no NaN, and zeros of either sign are one
    real,     // exact real numbers: no rounding is spoken of
};
std::string_view name(Floats floats);  // "ieee", …
std::optional<Floats> parse_floats(std::string_view name);

// What stands against a proof.
enum class Cause : std::uint8_t {
    none,            // nothing: it is validated
    obligation,      // one is violated, or is not shown
    run,             // a run is wrong, whatever is obliged
    feature,         // the program uses what the validator does not decide
    budget,          // spent on the work that is named: steps, terms, isl's operations
    compiler_limit,  // the compiler was stopped before the program was lowered; on another day it may not be
    not_compared,    // refuted by a value, in a case whose result rounds
    not_confirmed,   // refuted, and right at the sizes of the counterexample
    not_run,         // refuted, and nothing is known of those sizes
    contradiction,   // every obligation holds, and the interpreters show that the program is wrong: a fault of ours
};
std::string_view name(Cause cause);  // "none", …
std::optional<Cause> parse_cause(std::string_view name);

struct Validation {
    Outcome outcome = Outcome::undecided;
    Floats floats = Floats::ieee;  // of a proof

    // Of a proof: whether it is one for all sizes, which may have to meet a condition of the program's own ("4 <= W"),
    // and at which no output's box may have a negative extent.
    bool is_for_all_sizes = false;
    std::optional<std::string> premise = std::nullopt;
    bool needs_proper_boxes = false;

    Cause cause = Cause::none;
    std::optional<ObligationKind> obligation = std::nullopt;
    // Of which kind the run's trouble, the feature or the budgeted work is; and particulars, of an obligation as well.
    Feature what{};

    bool is_conditional() const { return outcome == Outcome::validated && premise.has_value(); }
    bool operator==(const Validation&) const = default;
};

// For all sizes, or the given ones; otherwise undecided and so on, because of what is named.
Validation proved(bool is_for_all_sizes);
Validation obstructed(Outcome outcome, Cause cause, Feature what);
Validation obstructed(Outcome outcome, ObligationKind obligation, std::string detail);
// Of a program that the validator does not decide for this.
inline Validation unsupported(Feature what) {
    return obstructed(Outcome::unsupported, Cause::feature, std::move(what));
}
// Of floats that are not strict there is none but of real numbers (sched/syntax.h).
inline Feature loose_floats() { return {"floats that are not strict", {}}; }

// Of one that was asked for.
bool comes_to(const std::optional<Validation>& validation, Outcome outcome);

// Of a proof what it is about: "for all sizes", "when 4 <= W". Otherwise what stands against one: "value: f[x] := 1".
std::string reason(const Validation& validation);
// "validated for all sizes, floats being real numbers", "refuted: value: f[x] := 1".
std::string to_string(const Validation& validation);
// Without particulars: "validated", "validated when", "refuted: value", "unsupported: product of indices".
std::string summary(const Validation& validation);

}  // namespace haruspex::verdict
