#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generators/value/value.h"

// Pieces of SMT-LIB 2.6 text.
namespace haruspex::smt {

// Thrown for a query that cannot be expressed under its choice of floats.
struct Inexpressible {
    std::string reason;
};

// "(head part part …)"; a part is text or a number.
template <typename... Parts>
std::string sexpr(std::string_view head, const Parts&... parts) {
    std::string text = "(" + std::string(head);
    ((text += " ", text += parts), ...);
    return text + ")";
}
std::string sexpr(std::string_view head, const std::vector<std::string>& parts);

// Connectives; the text is simplified if a part is "true" or "false".
std::string conjunction(const std::vector<std::string>& parts);
std::string disjunction(const std::vector<std::string>& parts);
std::string negation(const std::string& condition);
std::string if_then_else(const std::string& condition, const std::string& a, const std::string& b);

// A set of assertions over declared constants and functions, and names for the terms that they share.
struct Script {
    struct Definition {
        std::string name;
        std::string sort;
        std::string text;  // over declarations and preceding definitions
    };
    std::string declarations;
    std::vector<Definition> definitions;
    std::vector<std::string> assertions;
};
// The script as commands; a definition becomes a function without parameters.
std::string commands(const Script& script);
// The same with a single assertion, in which a definition becomes a "let".
std::string nested(const Script& script);

// "|text|"; the text must not contain a bar or a backslash (ENSURE).
std::string quoted(const std::string& text);

std::string numeral(value::Int128 v);                    // "5", "(- 5)"
std::string power_of_two(int exponent);                  // exponent at most 64
std::string bit_vector(int width, std::uint64_t bits);   // "#x0000002a"
std::string bit_extract(const std::string& a, int bit);  // one bit, as a Bool
// "0.5", "(- 3.0)", exactly; `v` is finite.
std::string decimal(double v);

}  // namespace haruspex::smt
