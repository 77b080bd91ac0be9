#pragma once

#include <cstdint>
#include <string_view>

namespace haruspex {

// FNV-1a, 64 bits: of the bytes, going on from what came before them.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t before = 0xcbf29ce484222325) {
    for (const char byte : bytes) { before = (before ^ static_cast<unsigned char>(byte)) * 0x100000001b3; }
    return before;
}

}  // namespace haruspex
