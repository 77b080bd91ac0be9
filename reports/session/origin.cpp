#include "reports/session/origin.h"

#include <algorithm>
#include <cctype>

namespace haruspex::session {
namespace {

bool continues_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::size_t skip_blanks(std::string_view line, std::size_t at) {
    return std::min(line.find_first_not_of(" \t", at), line.size());
}

// The column of the first occurrence of the word in a line without its comment, as a whole word.
std::optional<std::size_t> find_word(std::string_view code, std::string_view word, std::size_t from = 0) {
    for (std::size_t at = code.find(word, from); at != std::string_view::npos; at = code.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool is_whole =
            (at == 0 || !continues_word(code[at - 1])) && (end == code.size() || !continues_word(code[end]));
        if (is_whole) { return at; }
    }
    return std::nullopt;
}

// The column of the word if it is at the beginning of an item and of the line, so that the item defines it.
std::optional<std::size_t> find_definition(std::string_view line, std::string_view word) {
    std::size_t begin = skip_blanks(line, 0);
    const auto skip = [&](std::string_view keyword) {
        const bool is_there = line.substr(begin).starts_with(keyword);
        if (is_there) { begin = skip_blanks(line, begin + keyword.size()); }
        return is_there;
    };
    const bool is_declaration = skip("var ");
    skip("input ");
    skip(is_declaration ? "output " : "update ");
    const auto at = find_word(line, word, begin);
    return at == begin ? at : std::nullopt;
}

Error error_at(const SourceText& source, int line, std::size_t column, std::string_view excerpt, std::string message) {
    return {std::move(message),
            {source.file, line, static_cast<int>(column) + 1},
            std::string(excerpt.substr(0, excerpt.find_last_not_of('\r') + 1))};
}

// Calls look(line, line number) until it returns a column.
template <typename Look>
std::optional<Error> error_where(const SourceText& source, const std::string& message, Look look) {
    std::string_view rest = source.text;
    for (int number = 1; !rest.empty(); ++number) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        if (const auto column = look(line)) { return error_at(source, number, *column, line, message); }
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return std::nullopt;
}

}  // namespace

Error error_at_word(const SourceText& source, std::string_view word, std::string message) {
    if (word.empty()) { return {std::move(message), {source.file, 0, 0}, {}}; }
    const auto code = [&](std::string_view line) { return line.substr(0, line.find(source.comment)); };
    const auto defined =
        error_where(source, message, [&](std::string_view line) { return find_definition(code(line), word); });
    if (defined) { return *defined; }
    const auto found = error_where(source, message, [&](std::string_view line) { return find_word(code(line), word); });
    return found ? *found : Error{std::move(message), {source.file, 0, 0}, {}};
}

Error error_at_directive(const SourceText& schedule, std::size_t directive, std::string message) {
    std::size_t before = 0;
    const auto found = error_where(schedule, message, [&](std::string_view line) -> std::optional<std::size_t> {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos || line[begin] == '#' || before++ != directive) { return std::nullopt; }
        return begin;
    });
    return found ? *found : Error{std::move(message), {schedule.file, 0, 0}, {}};
}

}  // namespace haruspex::session
