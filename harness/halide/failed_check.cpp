#include "harness/halide/failed_check.h"

#include <algorithm>
#include <cstddef>

#include "harness/compiler/message.h"

namespace haruspex::halide {
namespace {

constexpr std::string_view internal = "Internal Error at ", by_user = "triggered by user code at ",
                           condition_failed = "Condition failed: ", error = "Error:";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string without_directory(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

void skip_space(std::string_view& text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) { text.remove_prefix(1); }
}

// Takes what the text begins with, and the space behind it.
bool take(std::string_view& text, std::string_view what) {
    if (!text.starts_with(what)) { return false; }
    text.remove_prefix(what.size());
    skip_space(text);
    return true;
}

// Takes "F:L" and returns F.
std::optional<std::string> take_place(std::string_view& text) {
    for (std::size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
        std::size_t end = colon + 1;
        while (end < text.size() && is_digit(text[end])) { ++end; }
        if (end == colon + 1) { continue; }
        const std::string file = without_directory(text.substr(0, colon));
        text.remove_prefix(end);
        if (text.starts_with(':')) { text.remove_prefix(1); }
        skip_space(text);
        return file;
    }
    return std::nullopt;
}

// Takes the condition. It ends with a colon that is neither half of "::" nor the colon of "a ? b : c", or, in Halide 21,
// before "Error:".
std::string take_condition(std::string_view& text) {
    std::size_t end = 0;
    while (end < text.size()) {
        const bool is_last = end + 1 == text.size() || text[end + 1] == ' ' || text[end + 1] == '\n';
        if (text[end] == ':' && is_last && end > 0 && text[end - 1] != ' ' && text[end - 1] != ':') { break; }
        if (text[end] == ' ' && text.substr(end + 1).starts_with(error)) { break; }
        ++end;
    }
    std::string condition(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    skip_space(text);
    return condition;
}

}  // namespace

FailedCheck failed_check(std::string_view text, const std::optional<CheckPlace>& place) {
    FailedCheck check;
    if (take(text, internal)) {
        check.file = take_place(text);
        check.condition = "";
        if (take(text, by_user)) { text.remove_prefix(std::min(text.find(": ") + 2, text.size())); }
        if (take(text, condition_failed)) { check.condition = take_condition(text); }
    } else if (place) {
        check.file = without_directory(place->file);
        // Hundreds of functions have this name.
        if (place->function != "visit") { check.function = place->function; }
    }
    take(text, error);
    check.words = compiler::normalise(std::string(text.substr(0, text.find_first_of("([{"))));
    return check;
}

std::string readable(std::string_view text) {
    const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
    const auto is_of_text = [](char c) { return c >= 0x20 && c < 0x7f; };
    std::string all;
    while (!text.empty()) {
        if (is_space(text.front())) {
            all += text.front();
            text.remove_prefix(1);
            continue;
        }
        const auto end = std::ranges::find_if(text, is_space);
        const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        all += std::ranges::all_of(word, is_of_text) ? std::string(word) : "\"?\"";
        text.remove_prefix(word.size());
    }
    return all;
}

std::string with_place(const std::string& text, const std::optional<CheckPlace>& place) {
    if (!place || text.starts_with(internal)) { return text; }
    return std::string(internal) + place->file + ":" + std::to_string(place->line) + " " + text;
}

}  // namespace haruspex::halide
