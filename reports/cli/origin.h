#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "generators/base/result.h"

// Where a case comes from, so that an error is shown in the text that a person has written.
namespace haruspex::cli {

struct SourceText {
    std::string file, text;
};

// Points at the definition of `word`: its first place at the beginning of an item, else its first place outside
// comments. Names only the file when the word is nowhere, or empty.
Error error_at_word(const SourceText& source, std::string_view word, std::string message);
// Points at the beginning of a schedule's directive, counted from 0.
Error error_at_directive(const SourceText& schedule, std::size_t directive, std::string message);

struct Origin {
    Origin(std::string name) : name(std::move(name)) {}
    Origin(const char* name) : name(name) {}

    std::string name;  // what messages call the case
    // Of a case of two texts, the second one where there is a schedule.
    std::optional<SourceText> program, schedule;

    Error error(const std::string& message) const { return {name + ": " + message, {}, {}}; }
    // In the program's text, if there is one.
    Error error_in_program(std::string_view word, const std::string& message) const {
        return program ? error_at_word(*program, word, message) : error(message);
    }
};

}  // namespace haruspex::cli
