#include "harness/halide/guarded_heap.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace haruspex::halide {
namespace {

// Halide requires at most 64-byte alignment on the targets in use, and its documentation allows reads up to 8 bytes
// beside a block; a whole red zone also catches a stray vector.
constexpr std::size_t red_zone = 128;
constexpr std::uint8_t red = 0xc3;

// Stored at the start of the red zone before a block.
struct Header {
    std::size_t bytes;
};

}  // namespace

void* GuardedHeap::allocate(std::size_t bytes) {
    void* raw = nullptr;
    if (bytes < std::numeric_limits<std::size_t>::max() - 4 * red_zone) {
        const std::size_t rounded = (bytes + red_zone - 1) / red_zone * red_zone;
        raw = std::aligned_alloc(red_zone, rounded + 2 * red_zone);
    }
    if (raw == nullptr) {
        const std::lock_guard lock(mutex_);
        exhausted_ = true;
        return nullptr;
    }
    auto* start = static_cast<std::uint8_t*>(raw);
    std::memset(start, red, red_zone);
    const Header header{bytes};
    std::memcpy(start, &header, sizeof header);
    std::memset(start + red_zone, poison_, bytes);
    std::memset(start + red_zone + bytes, red, red_zone);
    const std::lock_guard lock(mutex_);
    live_.insert(start + red_zone);
    return start + red_zone;
}

void GuardedHeap::release(void* block) {
    if (block == nullptr) { return; }
    {
        const std::lock_guard lock(mutex_);
        if (live_.erase(block) == 0) { return; }
    }
    std::uint8_t* const start = static_cast<std::uint8_t*>(block) - red_zone;
    Header header{};
    std::memcpy(&header, start, sizeof header);
    const auto is_red = [](std::uint8_t byte) { return byte == red; };
    std::string found;
    const std::uint8_t* before = start + sizeof header;
    if (!std::all_of(before, static_cast<const std::uint8_t*>(start + red_zone), is_red)) {
        found = "an internal allocation was written before its start";
    } else {
        const std::uint8_t* end = start + red_zone + header.bytes;
        const std::uint8_t* changed = std::find_if_not(end, end + red_zone, is_red);
        if (changed != end + red_zone) {
            found = fmt::format("an internal allocation of {} bytes was written {} bytes behind its end", header.bytes,
                                changed - end);
        }
    }
    if (!found.empty()) {
        const std::lock_guard lock(mutex_);
        if (stray_write_.empty() || found < stray_write_) { stray_write_ = found; }
    }
    std::free(start);
}

}  // namespace haruspex::halide
