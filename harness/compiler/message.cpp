#include "harness/compiler/message.h"

#include <cctype>
#include <regex>

namespace haruspex::compiler {

std::string normalise(const std::string& words) {
    static const std::regex call_site(R"( ?\(at [^()]*:[0-9]+\))");
    static const std::regex address("0x[0-9a-fA-F]+");
    static const std::regex directory(R"((^|[\s'"(])(/[^\s/:'"()]+)+/([^\s/:'"()]+))");
    // libstdc++ matches recursively: a megabyte of words would overflow the stack.
    constexpr std::size_t most = 4000;
    std::string text;
    for (const char c : words.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(c);
        text += (byte < 0x20 && c != '\n' && c != '\t') || byte >= 0x7f ? '?' : c;
    }
    text = std::regex_replace(text, call_site, "");
    text = std::regex_replace(text, address, "0x…");
    text = std::regex_replace(text, directory, "$1$3");
    const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && is_space(text.back())) { text.pop_back(); }
    std::size_t start = 0;
    while (start < text.size() && is_space(text[start])) { ++start; }
    return text.substr(start);
}

}  // namespace haruspex::compiler
