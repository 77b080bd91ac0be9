#include "generators/base/result.h"

namespace haruspex {

std::string to_string(const Error& error) {
    std::string text;
    if (!error.where.file.empty()) { text += error.where.file + ":"; }
    if (error.where.line > 0) {
        text += std::to_string(error.where.line) + ":" + std::to_string(error.where.column) + ":";
    }
    if (!text.empty()) { text += " "; }
    text += error.message;
    if (!error.excerpt.empty() && error.where.column > 0) {
        std::string indent = error.excerpt.substr(0, static_cast<std::size_t>(error.where.column - 1));
        indent.resize(static_cast<std::size_t>(error.where.column - 1), ' ');
        // Tabs stay, so that the caret moves as far as the text above it.
        for (char& c : indent) {
            if (c != '\t') { c = ' '; }
        }
        text += "\n  " + error.excerpt + "\n  " + indent + "^";
    }
    return text;
}

}  // namespace haruspex
