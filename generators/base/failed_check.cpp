#include "generators/base/failed_check.h"

#include <initializer_list>

namespace haruspex {
namespace {

bool may_be_equal(const std::optional<std::string>& a, const std::optional<std::string>& b) {
    return !a || !b || *a == *b;
}

bool is_told(const std::optional<std::string>& text) { return text && !text->empty(); }

}  // namespace

bool is_same_check(const FailedCheck& a, const FailedCheck& b) {
    return a.words == b.words && may_be_equal(a.file, b.file) && may_be_equal(a.function, b.function) &&
           may_be_equal(a.condition, b.condition);
}

bool names_place(const FailedCheck& a, const FailedCheck& b) {
    return (!a.words.empty() && !b.words.empty()) || (is_told(a.condition) && is_told(b.condition)) ||
           (is_told(a.function) && is_told(b.function));
}

std::string to_string(const FailedCheck& check) {
    std::string text = check.file.value_or("");
    const auto add = [&](const char* separator, const std::string& part) {
        if (part.empty()) { return; }
        if (!text.empty()) { text += separator; }
        text += part;
    };
    add(", ", check.function.value_or(""));
    add(": ", check.condition.value_or(""));
    add(": ", check.words);
    return text;
}

}  // namespace haruspex
