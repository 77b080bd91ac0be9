#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "generators/base/result.h"

// Cuts the text of a SARE, or of a language with similar tokens, into tokens with positions.
namespace haruspex::sare {

inline constexpr std::size_t max_text = std::size_t{1} << 20;  // in bytes

// A text with its file's name and the first error found in it.
class Diagnostics {
public:
    Diagnostics(std::string_view text, std::string_view file) : text_(text), file_(file) {}

    std::string_view text() const { return text_; }
    // Keeps the first report: later ones are seldom meaningful.
    void report(std::size_t offset, const std::string& message);
    bool failed() const { return error_.has_value(); }
    const Error& error() const { return *error_; }

private:
    std::string_view text_;
    std::string_view file_;
    std::optional<Error> error_;
};

enum class TokenKind : std::uint8_t {
    name,    // an identifier or keyword; the name of a stage tensor includes its dot and number
    number,  // digits, then optionally a fraction, an exponent and a type, without a gap
    symbol,
    string,  // on one line, quotes included; a quote behind a backslash does not end the string
    end,
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
    std::size_t offset = 0;
};

// The tokens that a language has beyond those of SAREs.
struct TokenOptions {
    bool dotted_names = false;  // a name may contain dots and dollars, instead of ending in one stage number
    bool strings = false;
    std::span<const std::string_view> symbols = {};  // longer symbols stand before their prefixes
    std::string_view comment = "#";                  // starts a comment that ends with the line
};

// Reads tokens one at a time. After the first error there are only `end` tokens and nothing is accepted. So parsers end
// without checks of their own; after an error their results are meaningless.
class Tokens {
public:
    explicit Tokens(Diagnostics& diagnostics, TokenOptions lexis = {});

    const Token& peek() const { return token_; }
    // The token after peek().
    Token second();
    Token take();

    bool at(std::string_view text) const { return token_.kind != TokenKind::end && token_.text == text; }
    bool at_end() const { return token_.kind == TokenKind::end; }
    // Takes the current token if it has this text, and returns whether it has.
    bool accept(std::string_view text);
    // Takes the current token if it has this text; otherwise reports that the text was expected.
    void expect(std::string_view text);
    // Expects a closing '>', which may also be the first character of '>>' or '>='.
    void expect_angle();
    // Reports "expected …, found …" at the current token.
    void expected(std::string_view what);

    void report(std::size_t offset, const std::string& message);
    bool failed() const { return diagnostics_.failed(); }

private:
    friend class Nest;
    Token scan(std::size_t offset);
    std::size_t skip_blank(std::size_t offset) const;
    Token scan_string(std::size_t start);

    Diagnostics& diagnostics_;
    TokenOptions lexis_;
    Token token_;
    int nesting_ = 0;
};

// Whether a number ends in a type: it has a letter other than that of an exponent.
bool has_suffix(std::string_view number);
// Whether the token is a literal that is a word: true, false, nan_f32, inf_f64, …
bool is_literal_word(const Token& token);
// Whether a sign before the token is part of a number rather than an operator.
bool begins_number(const Token& token);

// One level of brackets or prefix operators. Parsers recurse, so the number of levels is limited: a deeper level is
// reported as an error.
class Nest {
public:
    explicit Nest(Tokens& tokens);
    ~Nest();
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;

private:
    Tokens& tokens_;
};

}  // namespace haruspex::sare
