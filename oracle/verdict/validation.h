#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What the validator says of a program, as far as verdicts carry it; with its proof: oracle/validator.
namespace haruspex::verdict {

enum class Outcome : std::uint8_t {
    validated,    // every obligation holds
    refuted,      // an obligation fails, and the interpreters show it at some sizes
    undecided,    // an obligation is not shown, and no counterexample to the program is found
    unsupported,  // the program uses what the validator does not decide
};
std::string_view name(Outcome outcome);  // "validated", …

// What floats are in a proof.
enum class Floats : std::uint8_t {
    ieee,     // IEEE's, or there are none
    numbers,  // IEEE's, but no NaN, and zeros of either sign are one
    real,     // exact real numbers: no rounding is spoken of
};
std::string_view name(Floats floats);  // "ieee", …

// Why there is no proof, but of real numbers, of a program with loose floats (sched/syntax.h).
inline constexpr std::string_view loose_floats = "floats that are not strict";

struct Validation {
    Outcome outcome = Outcome::undecided;
    // One line. Of a proof, what it is about: "for all sizes", "for the given sizes", "when 4 <= W". Otherwise what
    // stands against one, from the general to the particular: "value: f[x] := 1".
    std::string reason;
    Floats floats = Floats::ieee;  // of a proof

    // A proof for those sizes alone that meet a condition of the program's own.
    bool is_conditional() const;
    bool operator==(const Validation&) const = default;
};

// Of one that was asked for.
bool comes_to(const std::optional<Validation>& validation, Outcome outcome);

// "validated for all sizes, floats being real numbers", "refuted: value: f[x] := 1"; and back. Nothing when it is no
// such line.
std::string to_string(const Validation& validation);
std::optional<Validation> parse_validation(std::string_view line);

// Without particulars: "validated", "validated when", "refuted: value", "unsupported: product of indices".
std::string fate(const Validation& validation);

}  // namespace haruspex::verdict
