#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace haruspex {

// Returns the 64-bit FNV-1a hash of the bytes, continued from the hash `before` of the bytes that precede them.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t before = 0xcbf29ce484222325) {
    for (const char byte : bytes) { before = (before ^ static_cast<unsigned char>(byte)) * 0x100000001b3; }
    return before;
}

// A hash as text: 16 hexadecimal digits.
inline std::string hexadecimal(std::uint64_t hash) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    return digits;
}

}  // namespace haruspex
