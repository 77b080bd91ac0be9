#pragma once

#include <string>

namespace haruspex {

// "x = 0, y = 1": each name with its value.
template <typename Pairs>
std::string assignments(const Pairs& pairs) {
    std::string text;
    for (const auto& [name, value] : pairs) {
        text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
    }
    return text;
}

}  // namespace haruspex
