#pragma once

#include <compare>
#include <string>

#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// Findings look alike if class, normalised message and kinds of directives are equal.
namespace haruspex::triage {

struct Signature {
    verdict::Class cls = verdict::Class::agrees;
    std::string message;     // normalised; names that occur in the case are replaced, too
    std::string directives;  // sorted, distinct action names, e.g. "compute_at, split, vectorize"
    bool operator==(const Signature&) const = default;
    auto operator<=>(const Signature&) const = default;
};

Signature signature(const cases::Case& c, const verdict::Verdict& verdict);
// Returns a short, stable name for the group of findings with this signature, such as "wrong_result-1f00c0de": the
// class and eight hexadecimal digits of a hash (64-bit FNV-1a) of the signature.
std::string group_name(const Signature& signature);
// Returns the message with a placeholder for each text that varies between alike cases:
//   "<n>"        numbers and literals of the value types, and lists of them, with commas or spaces in between
//   "<address>"  hexadecimal addresses
//   "<name>"     quoted names, words with a "$", an inner "." or a digit at the end (f0.s1.x, t$3), and lists of them
// Types stay, except for the lanes of a vector ("float32x<n>"); names of source files stay, too. White space becomes
// single spaces. A message of more than 240 bytes is cut and ends with "…". Normalising twice changes nothing.
std::string normalise_message(const std::string& message);
// The same, also with a placeholder for names that occur in the case.
std::string normalise_words(const cases::Case& c, const std::string& words);

}  // namespace haruspex::triage
