#include "generators/sare/tokens.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "generators/sare/limits.h"
#include "generators/sare/names.h"
#include "generators/value/value.h"

namespace haruspex::sare {

namespace {

// A few levels more than trees may have, for brackets that leave no node.
constexpr int max_nesting = max_depth + 44;
// Longer lines are truncated, or not shown if the caret would be beyond the end.
constexpr std::size_t max_excerpt = 200;

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::array<std::string_view, 8> long_symbols{"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
constexpr std::string_view short_symbols = "()[]{},:=<>+-*/%&|^~!";

// The length of the UTF-8 sequence at the offset, or 0 when there is none (RFC 3629: no surrogates, no overlong forms).
std::size_t utf8_length(std::string_view text, std::size_t offset) {
    const auto byte = [&](std::size_t i) {
        return offset + i < text.size() ? static_cast<unsigned char>(text[offset + i]) : 0U;
    };
    const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
        return byte(i) >= low && byte(i) <= high;
    };
    const unsigned first = byte(0);
    if (first < 0x80) { return 1; }
    if (first >= 0xC2 && first <= 0xDF) { return follows(1) ? 2 : 0; }
    if (first >= 0xE0 && first <= 0xEF) {
        const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = first == 0xED ? 0x9F : 0xBF;
        return follows(1, low, high) && follows(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const unsigned low = first == 0xF0 ? 0x90 : 0x80;
        const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
        return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

// Checks that the text is UTF-8 without control characters and within max_text.
void check_bytes(Diagnostics& diagnostics) {
    const std::string_view text = diagnostics.text();
    if (text.size() > max_text) {
        diagnostics.report(max_text, fmt::format("the text is too long; expected at most {} bytes", max_text));
        return;
    }
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const std::size_t length = utf8_length(text, i);
        if (length == 0 || (byte < 0x20 && !is_blank(text[i])) || byte == 0x7F) {
            diagnostics.report(i, fmt::format("expected UTF-8 text, found byte {:#04x}", byte));
            return;
        }
        i += length;
    }
}

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string describe(const Token& token) {
    if (token.kind == TokenKind::end) { return "the end of the text"; }
    return token.kind == TokenKind::string ? std::string(token.text) : quoted(token.text);
}

}  // namespace

void Diagnostics::report(std::size_t offset, const std::string& message) {
    if (error_) { return; }
    offset = std::min(offset, text_.size());
    const std::string_view before = text_.substr(0, offset);
    const std::size_t newline = before.rfind('\n');
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    const std::size_t column = offset - start;
    Error error{message,
                {std::string(file_), 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
                 1 + static_cast<int>(column)},
                {}};
    std::string_view line = text_.substr(start);
    line = line.substr(0, std::min(line.find('\n'), max_excerpt));
    if (column <= line.size()) {
        // One column for each byte, no control characters for a terminal, and a caret in the right place.
        for (const char c : line) { error.excerpt += c >= ' ' && c != 0x7F ? c : ' '; }
        error.excerpt.erase(error.excerpt.find_last_not_of(' ') + 1);
    }
    error_ = std::move(error);
}

Tokens::Tokens(Diagnostics& diagnostics, TokenOptions lexis) : diagnostics_(diagnostics), lexis_(lexis) {
    check_bytes(diagnostics_);
    if (!failed()) { token_ = scan(0); }
}

Token Tokens::second() { return failed() ? token_ : scan(token_.offset + token_.text.size()); }

Token Tokens::take() {
    const Token taken = token_;
    if (!failed()) {
        const Token next = scan(taken.offset + taken.text.size());
        if (!failed()) { token_ = next; }
    }
    return taken;
}

bool Tokens::accept(std::string_view text) {
    if (!at(text)) { return false; }
    take();
    return true;
}

void Tokens::expect(std::string_view text) {
    if (!accept(text)) { expected(quoted(text)); }
}

void Tokens::expect_angle() {
    if (failed()) { return; }
    if (token_.kind == TokenKind::symbol && token_.text.starts_with('>')) {
        const Token next = scan(token_.offset + 1);
        if (!failed()) { token_ = next; }
        return;
    }
    expected("\">\"");
}

void Tokens::expected(std::string_view what) {
    report(token_.offset, fmt::format("expected {}, found {}", what, describe(token_)));
}

void Tokens::report(std::size_t offset, const std::string& message) {
    diagnostics_.report(offset, message);
    token_ = {TokenKind::end, {}, token_.offset};
}

std::size_t Tokens::skip_blank(std::size_t offset) const {
    const std::string_view text = diagnostics_.text();
    for (;;) {
        if (text.substr(offset).starts_with(lexis_.comment)) {
            offset = std::min(text.find('\n', offset), text.size());
        }
        if (offset == text.size() || !is_blank(text[offset])) { return offset; }
        ++offset;
    }
}

Token Tokens::scan(std::size_t offset) {
    const std::string_view text = diagnostics_.text();
    const std::size_t start = skip_blank(offset);
    if (start == text.size()) { return {TokenKind::end, {}, start}; }
    const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
    std::size_t end = start;
    const auto digits = [&] {
        while (is_digit(at(end))) { ++end; }
    };
    const auto word = [&] {
        while (is_letter(at(end)) || is_digit(at(end))) { ++end; }
    };
    const auto token = [&](TokenKind kind) { return Token{kind, text.substr(start, end - start), start}; };

    if (is_letter(at(start))) {
        word();
        if (lexis_.dotted_names) {
            while (is_letter(at(end)) || is_digit(at(end)) || at(end) == '.' || at(end) == '$') { ++end; }
        } else if (at(end) == '.' && is_digit(at(end + 1))) {
            ++end;
            digits();
        }
        return token(TokenKind::name);
    }
    if (is_digit(at(start))) {
        digits();
        if (at(end) == '.' && is_digit(at(end + 1))) {
            ++end;
            digits();
        }
        const bool sign = at(end + 1) == '+' || at(end + 1) == '-';
        if ((at(end) == 'e' || at(end) == 'E') && is_digit(at(end + (sign ? 2 : 1)))) {
            end += sign ? 2 : 1;
            digits();
        }
        word();
        return token(TokenKind::number);
    }
    if (lexis_.strings && at(start) == '"') { return scan_string(start); }
    using Symbols = std::span<const std::string_view>;
    for (const Symbols symbols : {lexis_.symbols, Symbols(long_symbols)}) {
        for (const std::string_view symbol : symbols) {
            if (text.substr(start).starts_with(symbol)) {
                end = start + symbol.size();
                return token(TokenKind::symbol);
            }
        }
    }
    end = start + 1;
    if (short_symbols.find(text[start]) != std::string_view::npos) { return token(TokenKind::symbol); }
    end = start + utf8_length(text, start);
    report(start, fmt::format("expected a name, a number, an operator or a bracket, found {}",
                              quoted(text.substr(start, end - start))));
    return {TokenKind::end, {}, start};
}

Token Tokens::scan_string(std::size_t start) {
    const std::string_view text = diagnostics_.text();
    for (std::size_t end = start + 1; end < text.size() && text[end] != '\n'; ++end) {
        if (text[end] == '"') { return {TokenKind::string, text.substr(start, end + 1 - start), start}; }
        if (text.substr(end).starts_with('\\') && !text.substr(end + 1).starts_with('\n')) { ++end; }
    }
    report(start, "the string has no end; expected a closing quotation mark on the same line");
    return {TokenKind::end, {}, start};
}

bool has_suffix(std::string_view number) {
    return number.find_first_not_of("0123456789.eE+-") != std::string_view::npos;
}

bool is_literal_word(const Token& token) {
    return token.kind == TokenKind::name && is_reserved(token.text) && value::parse_literal(token.text).has_value();
}

bool begins_number(const Token& token) {
    return token.kind == TokenKind::number || (is_literal_word(token) && token.text != "true" && token.text != "false");
}

Nest::Nest(Tokens& tokens) : tokens_(tokens) {
    if (++tokens_.nesting_ > max_nesting) {
        tokens_.report(tokens_.peek().offset,
                       fmt::format("brackets are nested too deeply; expected at most {} levels", max_nesting));
    }
}

Nest::~Nest() { --tokens_.nesting_; }

}  // namespace haruspex::sare
