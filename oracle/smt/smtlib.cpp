#include "oracle/smt/smtlib.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "generators/base/ensure.h"

namespace haruspex::smt {
namespace {

// The parts joined by a connective whose neutral element is `neutral` and whose absorbing one is the other.
std::string joined(std::string_view connective, std::string_view neutral, std::string_view absorbing,
                   const std::vector<std::string>& parts) {
    std::vector<std::string> kept;
    for (const std::string& part : parts) {
        if (part == absorbing) { return std::string(absorbing); }
        if (part != neutral && std::ranges::find(kept, part) == kept.end()) { kept.push_back(part); }
    }
    if (kept.empty()) { return std::string(neutral); }
    return kept.size() == 1 ? kept.front() : sexpr(connective, kept);
}

}  // namespace

std::string sexpr(std::string_view head, const std::vector<std::string>& parts) {
    std::string text = "(" + std::string(head);
    for (const std::string& part : parts) { text += " " + part; }
    return text + ")";
}

std::string conjunction(const std::vector<std::string>& parts) { return joined("and", "true", "false", parts); }

std::string disjunction(const std::vector<std::string>& parts) { return joined("or", "false", "true", parts); }

std::string negation(const std::string& condition) {
    if (condition == "true") { return "false"; }
    if (condition == "false") { return "true"; }
    return sexpr("not", condition);
}

std::string if_then_else(const std::string& condition, const std::string& a, const std::string& b) {
    if (condition == "true" || a == b) { return a; }
    if (condition == "false") { return b; }
    return sexpr("ite", condition, a, b);
}

std::string quoted(const std::string& text) {
    ENSURE(text.find_first_of("|\\") == std::string::npos, "SMT-LIB cannot quote the name " + text);
    return "|" + text + "|";
}

std::string commands(const Script& script) {
    std::string text = script.declarations;
    for (const Script::Definition& d : script.definitions) {
        text += sexpr("define-fun", d.name, "()", d.sort, d.text) + "\n";
    }
    for (const std::string& assertion : script.assertions) { text += sexpr("assert", assertion) + "\n"; }
    return text;
}

std::string nested(const Script& script) {
    std::string text = script.declarations + "(assert\n";
    for (const Script::Definition& d : script.definitions) { text += "(let ((" + d.name + " " + d.text + "))\n"; }
    return text + conjunction(script.assertions) + std::string(script.definitions.size(), ')') + ")\n";
}

std::string numeral(value::Int128 v) {
    if (v < 0) { return sexpr("-", numeral(-v)); }
    std::string digits;
    do {
        digits += static_cast<char>('0' + static_cast<int>(v % 10));
        v /= 10;
    } while (v != 0);
    std::ranges::reverse(digits);
    return digits;
}

std::string power_of_two(int exponent) { return numeral(static_cast<value::Int128>(1) << exponent); }

std::string bit_vector(int width, std::uint64_t bits) {
    std::string text;
    for (int i = width - 4; i >= 0; i -= 4) { text += "0123456789abcdef"[(bits >> static_cast<unsigned>(i)) & 0xfU]; }
    ENSURE(width % 4 == 0, "bit-vectors of whole hexadecimal digits");
    return "#x" + text;
}

std::string bit_extract(const std::string& a, int bit) {
    const std::string i = std::to_string(bit);
    return sexpr("=", sexpr("(_ extract " + i + " " + i + ")", a), "#b1");
}

std::string decimal(double v) {
    ENSURE(std::isfinite(v), "only a finite number has digits");
    if (std::signbit(v)) { return v == 0 ? "0.0" : sexpr("-", decimal(-v)); }
    // 309 digits before the point and 1074 behind it write every double out.
    std::array<char, 1500> buffer{};
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), v, std::chars_format::fixed, 1074);
    ENSURE(error == std::errc{}, "a double fits the buffer");
    std::string text(buffer.data(), end);
    text.erase(text.find_last_not_of('0') + 1);
    return text.ends_with('.') ? text + "0" : text;
}

}  // namespace haruspex::smt
