#include "reports/triage/words.h"

#include <algorithm>
#include <array>

#include "generators/value/type.h"

namespace haruspex::triage {
namespace {

constexpr std::size_t longest_message = 240;
// Two quotation marks further apart than this are not a pair.
constexpr std::size_t longest_quotation = 200;
constexpr std::string_view ellipsis = "…";

// Independent of the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

std::size_t skip_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) { ++at; }
    return at;
}

// "float32x8" -> "float32x<n>", "uint8" -> "uint8"; empty if the word is not a type.
std::string normalise_type(std::string_view word) {
    if (value::parse_type(word)) { return std::string(word); }
    constexpr std::array<std::string_view, 5> stems{"uint", "int", "float", "bfloat", "bool"};
    for (const std::string_view stem : stems) {
        if (!word.starts_with(stem)) { continue; }
        const std::size_t width = skip_digits(word, stem.size());
        if (width == word.size()) { return std::string(word); }
        if (word[width] == 'x' && width + 1 < word.size() && skip_digits(word, width + 1) == word.size()) {
            return std::string(word.substr(0, width)) + "x<n>";
        }
    }
    return {};
}

// nan_f32, inf_f64, undef_i32, uninit_u8
bool is_value_word(std::string_view word) {
    constexpr std::array<std::string_view, 4> stems{"nan_", "inf_", "undef_", "uninit_"};
    return std::ranges::any_of(stems, [word](std::string_view stem) {
        return word.starts_with(stem) && value::parse_type(word.substr(stem.size()));
    });
}

bool is_source_file(std::string_view word) {
    constexpr std::array<std::string_view, 4> suffixes{".cpp", ".h", ".cc", ".hpp"};
    return std::ranges::any_of(suffixes, [word](std::string_view suffix) { return word.ends_with(suffix); });
}

// Reads a message from left to right; each take_… either reads a token at the current position or changes nothing.
class Normaliser {
public:
    Normaliser(std::string_view text, const Replacements& replacements) : text_(text), replacements_(replacements) {}

    std::string run() {
        while (at_ < text_.size()) {
            if (!take_space() && !take_placeholder() && !take_quotation() && !take_address() && !take_number() &&
                !take_word()) {
                put(std::string(1, text_[at_++]));
            }
        }
        collapse("<n>");
        collapse("<name>");
        truncate();
        return std::move(out_);
    }

private:
    char peek(std::size_t offset = 0) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\0'; }
    char before() const { return at_ == 0 ? ' ' : text_[at_ - 1]; }

    void put(std::string_view token) {
        if (gap_ && !out_.empty()) { out_ += ' '; }
        gap_ = false;
        out_ += token;
    }

    bool take_space() {
        if (!is_space(peek())) { return false; }
        gap_ = true;
        ++at_;
        return true;
    }

    // Takes a placeholder of an earlier normalisation.
    bool take_placeholder() {
        for (const std::string_view placeholder : {"<n>", "<name>", "<address>"}) {
            if (text_.substr(at_).starts_with(placeholder)) {
                put(placeholder);
                at_ += placeholder.size();
                return true;
            }
        }
        return false;
    }

    bool take_quotation() {
        const char mark = peek();
        // Between letters it is an apostrophe: can't.
        if ((mark != '"' && mark != '\'' && mark != '`') || is_alphanumeric(before())) { return false; }
        for (std::size_t end = at_ + 1; end < text_.size() && end - at_ <= longest_quotation; ++end) {
            const bool followed_by_word = end + 1 < text_.size() && is_alphanumeric(text_[end + 1]);
            if (text_[end] != mark || followed_by_word) { continue; }
            put("<name>");
            at_ = end + 1;
            return true;
        }
        return false;
    }

    bool take_address() {
        if (peek() != '0' || peek(1) != 'x' || is_alphanumeric(before())) { return false; }
        std::size_t end = at_ + 2;
        while (end < text_.size() && is_hex_digit(text_[end])) { ++end; }
        if (text_.substr(end).starts_with(ellipsis)) { end += ellipsis.size(); }
        if (end == at_ + 2) { return false; }
        put("<address>");
        at_ = end;
        return true;
    }

    // [-] digits [. digits] [e [+-] digits] [type]
    bool take_number() {
        std::size_t end = at_;
        const bool binary_minus = is_alphanumeric(before()) || before() == ')' || before() == '>';
        if (peek() == '-' && !binary_minus) { ++end; }
        if (end >= text_.size() || !is_digit(text_[end])) { return false; }
        end = skip_digits(text_, end);
        if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1])) {
            end = skip_digits(text_, end + 1);
        }
        if (end < text_.size() && text_[end] == 'e') {
            std::size_t exponent = end + 1;
            if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) { ++exponent; }
            if (exponent < text_.size() && is_digit(text_[exponent])) { end = skip_digits(text_, exponent); }
        }
        std::size_t suffix = end;
        while (suffix < text_.size() && is_alphanumeric(text_[suffix])) { ++suffix; }
        if (value::parse_type(text_.substr(end, suffix - end))) { end = suffix; }
        put("<n>");
        at_ = end;
        return true;
    }

    bool take_word() {
        // "-inf_f32" is one literal.
        const std::size_t start = peek() == '-' && !is_alphanumeric(before()) ? at_ + 1 : at_;
        std::size_t end = start;
        if (end >= text_.size() || !(is_letter(text_[end]) || text_[end] == '$')) { return false; }
        // A dot or dollar belongs to the word if the word continues after it.
        const auto goes_on = [&] {
            const char c = text_[end];
            if (is_alphanumeric(c)) { return true; }
            return (c == '.' || c == '$') && end + 1 < text_.size() &&
                   (is_alphanumeric(text_[end + 1]) || text_[end + 1] == '$');
        };
        while (end < text_.size() && (end == start || goes_on())) { ++end; }
        const std::string_view word = text_.substr(start, end - start);
        if (is_value_word(word)) {
            put("<n>");
        } else {
            if (start != at_) { return false; }
            put(normalise_word(word));
        }
        at_ = end;
        return true;
    }

    std::string normalise_word(std::string_view word) const {
        if (const auto replacement = replacements_.find(word); replacement != replacements_.end()) {
            return replacement->second;
        }
        if (std::string type = normalise_type(word); !type.empty()) { return type; }
        if (is_source_file(word)) { return std::string(word); }
        const bool made_up = word.find('$') != word.npos || word.find('.') != word.npos || is_digit(word.back());
        return made_up ? "<name>" : std::string(word);
    }

    // "<n>, <n>, <n>" and "<n> <n> <n>" -> "<n>"
    void collapse(std::string_view placeholder) {
        for (const char* separator : {", ", " "}) {
            const std::string pair = std::string(placeholder) + separator + std::string(placeholder);
            for (std::size_t at = out_.find(pair); at != out_.npos; at = out_.find(pair, at)) {
                out_.erase(at, pair.size() - placeholder.size());
            }
        }
    }

    void truncate() {
        if (out_.size() <= longest_message) { return; }
        std::size_t end = longest_message - ellipsis.size();
        const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(out_[i]) & 0xc0) == 0x80; };
        while (end > 0 && continues(end)) { --end; }
        // Not within a word: its end may decide how the word is read.
        while (end > 0 && out_[end - 1] != ' ') { --end; }
        out_.resize(end);
        out_ += ellipsis;
    }

    std::string_view text_;
    const Replacements& replacements_;
    std::string out_;
    std::size_t at_ = 0;
    bool gap_ = false;  // white space was read that is not written yet
};

}  // namespace

std::string normalise(std::string_view message, const Replacements& replacements) {
    return Normaliser(message, replacements).run();
}

std::vector<Identifier> identifiers(std::string_view text) {
    std::vector<Identifier> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_alphanumeric(text[end])) { ++end; }
        if (end == at) {
            ++at;
            continue;
        }
        if (is_letter(text[at])) {
            found.push_back({std::string(text.substr(at, end - at)), end < text.size() && text[end] == '('});
        }
        at = end;
    }
    return found;
}

}  // namespace haruspex::triage
