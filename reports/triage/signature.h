#pragma once

#include <compare>
#include <string>

#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// Which findings look alike: class, normalised message, and the kinds of directives involved.
namespace haruspex::triage {

struct Signature {
    verdict::Class cls = verdict::Class::agrees;
    std::string message;     // normalised; words that are names in the case are replaced, too
    std::string directives;  // sorted, distinct action names, e.g. "compute_at, split, vectorize"
    bool operator==(const Signature&) const = default;
    auto operator<=>(const Signature&) const = default;
};

Signature signature(const cases::Case& c, const verdict::Verdict& verdict);
// A short, stable name for a group: the class and eight hexadecimal digits of a hash (64-bit FNV-1a) of the signature,
// "wrong_result-1f00c0de".
std::string group_name(const Signature& signature);
// The message with everything that varies between alike cases replaced:
//   "<n>"        numbers and literals of the value types, and lists of them, with commas or spaces in between
//   "<address>"  hexadecimal addresses
//   "<name>"     quoted names, words with a "$", an inner "." or a digit at the end (f0.s1.x, t$3), and lists of them
// Types stay, except for the lanes of a vector ("float32x<n>"), and so do names of source files. White space becomes
// single spaces, and what follows the first 240 bytes becomes "…". Normalising twice changes nothing.
std::string normalise_message(const std::string& message);

}  // namespace haruspex::triage
