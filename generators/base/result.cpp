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
        text += "\n  " + error.excerpt + "\n  " + std::string(static_cast<size_t>(error.where.column - 1), ' ') + "^";
    }
    return text;
}

}  // namespace haruspex
