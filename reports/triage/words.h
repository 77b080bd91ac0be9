#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Normalises the words of compilers' messages (the rules are in signature.h).
namespace haruspex::triage {

// Replacements of whole words, which are applied before the rules.
using Replacements = std::map<std::string, std::string, std::less<>>;

std::string normalise(std::string_view message, const Replacements& replacements);

struct Identifier {
    std::string text;
    bool is_call = false;  // followed by "("
};
// Returns the C identifiers of a text, in order.
std::vector<Identifier> identifiers(std::string_view text);

}  // namespace haruspex::triage
