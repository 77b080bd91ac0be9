#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "generators/base/result.h"

// The source of a case, so that errors are shown in the text that the user wrote.
namespace haruspex::session {

struct SourceText {
    std::string file, text;
    std::string_view comment = "#";  // begins a comment that ends with the line
};

// Returns an error located at the definition of `word`: its first occurrence at the beginning of an item, else its
// first occurrence outside comments. Names only the file if the word is empty or does not occur.
Error error_at_word(const SourceText& source, std::string_view word, std::string message);
// Returns an error located at the beginning of a directive in the schedule. Directives count from 0.
Error error_at_directive(const SourceText& schedule, std::size_t directive, std::string message);

struct Origin {
    Origin(std::string name) : name(std::move(name)) {}
    Origin(const char* name) : name(name) {}

    std::string name;  // name of the case in messages
    // For a case given as text; `schedule` only if one was given.
    std::optional<SourceText> program, schedule;

    Error error(const std::string& message) const { return {name + ": " + message, {}, {}}; }
    // Returns an error located at `word` in the program's text, or one that names only the case if there is no such
    // text.
    Error error_in_program(std::string_view word, const std::string& message) const {
        return program ? error_at_word(*program, word, message) : error(message);
    }
};

}  // namespace haruspex::session
