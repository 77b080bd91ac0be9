#include "reports/triage/signature.h"

#include <fmt/ranges.h>

#include <cstdint>
#include <set>

#include "generators/base/fnv1a.h"
#include "generators/schedule/language.h"
#include "reports/triage/words.h"

namespace haruspex::triage {
namespace {

// Words of compilers' messages and of schedules; they stay even if a tensor has that name.
const std::set<std::string, std::less<>> common_words{
    "true", "false", "a",  "an",  "and", "as", "at",   "be",   "but", "by",   "for", "from", "in",    "is",
    "it",   "no",    "of", "not", "on",  "or", "than", "that", "the", "this", "to",  "was",  "which", "with"};

void add_schedule_names(const cases::Case& c, std::set<std::string>& names) {
    const schedule::Language& language = schedule::language(c.compiler);
    for (const schedule::Directive& directive : c.schedule.directives) {
        // Identifiers of the text form, except calls and the words of the language.
        for (const auto& word : identifiers(directive.text())) {
            if (!word.is_call && !language.is_word(word.text)) { names.insert(word.text); }
        }
    }
}

std::set<std::string> names_of(const cases::Case& c) {
    std::set<std::string> names(c.sare.parameters.begin(), c.sare.parameters.end());
    for (const sare::Input& input : c.sare.inputs) { names.insert(input.name); }
    for (const sare::Tensor& tensor : c.sare.tensors) {
        names.insert(tensor.name);
        names.insert(tensor.variables.begin(), tensor.variables.end());
    }
    add_schedule_names(c, names);
    return names;
}

Replacements placeholders(const cases::Case& c) {
    Replacements replacements;
    for (const std::string& name : names_of(c)) {
        if (!common_words.contains(name)) { replacements.emplace(name, "<name>"); }
    }
    return replacements;
}

}  // namespace

Signature signature(const cases::Case& c, const verdict::Verdict& verdict) {
    Replacements replacements = placeholders(c);
    if (verdict.difference) {
        // Values of the cells that differ.
        replacements["true"] = "<n>";
        replacements["false"] = "<n>";
    }
    std::set<std::string> actions;
    for (const schedule::Directive& directive : c.schedule.directives) { actions.insert(directive.kind()); }
    return {verdict.cls, normalise(verdict.message, replacements), fmt::format("{}", fmt::join(actions, ", "))};
}

std::string group_name(const Signature& signature) {
    // No part contains a NUL, so different signatures give different texts.
    const std::string cls(verdict::name(signature.cls));
    const std::uint64_t hash = fnv1a(cls + '\0' + signature.message + '\0' + signature.directives);
    constexpr const char* digits = "0123456789abcdef";
    std::string name = cls + "-";
    for (int shift = 28; shift >= 0; shift -= 4) { name += digits[(hash >> static_cast<unsigned>(shift)) & 0xf]; }
    return name;
}

std::string normalise_words(const cases::Case& c, const std::string& words) {
    return normalise(words, placeholders(c));
}

std::string normalise_message(const std::string& message) { return normalise(message, {}); }

}  // namespace haruspex::triage
