#pragma once

#include <string>

#include "generators/case/located_json.h"

// Private to reports/bugs: a field whose value is one of a few words.
namespace haruspex::bugs {

// Reads the name() of one of the first `count` values of an enumeration, and returns that value. Returns the first
// value after an error.
template <typename Enum>
Enum read_word(cases::json::Reader& reader, const cases::json::Node& node, int count) {
    const std::string text = reader.text(node);
    std::string words;
    for (int i = 0; i < count; ++i) {
        const auto value = static_cast<Enum>(i);
        if (name(value) == text) { return value; }
        words += (words.empty() ? "\"" : ", \"") + std::string(name(value)) + "\"";
    }
    reader.error(node.offset, "unknown word \"" + text + "\"; expected one of " + words);
    return Enum{};
}

}  // namespace haruspex::bugs
