#include "generators/sare/names.h"

#include <algorithm>
#include <array>

#include "generators/value/type.h"

namespace haruspex::sare {

namespace {

// "in", "on" and "of" stand only where no name can, so they are free to be names.
constexpr std::array<std::string_view, 20> keywords{
    "sare", "assuming", "input", "tensor", "update", "output", "over", "where", "if",   "and",
    "or",   "not",      "true",  "false",  "select", "min",    "max",  "sum",   "prod", "abs"};

constexpr std::array<std::string_view, 4> literal_prefixes{"nan_", "inf_", "undef_", "uninit_"};

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_reserved(std::string_view text) {
    if (std::find(keywords.begin(), keywords.end(), text) != keywords.end()) { return true; }
    if (value::parse_type(text)) { return true; }
    return std::any_of(literal_prefixes.begin(), literal_prefixes.end(), [&](std::string_view prefix) {
        return text.starts_with(prefix) && value::parse_type(text.substr(prefix.size()));
    });
}

bool is_name(std::string_view text) {
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); }) &&
           !is_reserved(text);
}

bool is_tensor_name(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) { return is_name(text); }
    const std::string_view number = text.substr(dot + 1);
    // One spelling for one stage: no leading zeros.
    return is_name(text.substr(0, dot)) && !number.empty() && (number == "0" || number.front() != '0') &&
           std::all_of(number.begin(), number.end(), is_digit);
}

std::string stage_name(std::string_view function, std::size_t stage) {
    return std::string(function) + "." + std::to_string(stage);
}

}  // namespace haruspex::sare
