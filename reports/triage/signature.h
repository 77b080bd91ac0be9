#pragma once

#include <string>

#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// Which findings look alike: class, normalised message, and the kinds of directives involved.
namespace haruspex::triage {

struct Signature {
    std::string cls;
    std::string message;     // numbers, quoted names and addresses replaced by placeholders
    std::string directives;  // sorted, distinct action names
    bool operator==(const Signature&) const = default;
    auto operator<=>(const Signature&) const = default;
};

Signature signature(const cases::Case& c, const verdict::Verdict& verdict);
// A short, stable name for a group: the class and eight hexadecimal digits of a hash of the signature.
std::string group_name(const Signature& signature);
// The message with everything that varies between alike cases replaced: "<n>" for numbers, "<name>" for quoted names.
std::string normalise_message(const std::string& message);

}  // namespace haruspex::triage
