#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The frames that a child sends to its parent through a pipe, one after the other.
//
//   frame ::= magic:u32 kind:u8 length:u32 checksum:u64 payload:u8[length]        little-endian
//
// The checksum is FNV-1a over kind and payload. A child under test may write anything anywhere: bytes that do not parse
// are a broken protocol, never a result.
namespace haruspex::compiler {

using Bytes = std::vector<std::uint8_t>;

enum class FrameKind : std::uint8_t {
    phase = 1,        // payload: the Phase that begins
    observation = 2,  // payload: a serialised Observation; the last frame
    exhausted = 3,    // no payload: an allocation has failed
    exit_called = 4,  // payload: the status, i32; the code under test called exit()
    failure = 5,      // payload: text; the harness itself failed in the child; the last frame
    lowered = 6,      // payload: a serialised Lowered
    regions = 7,      // payload: serialised InputRegions
};

struct Frame {
    FrameKind kind = FrameKind::phase;
    Bytes payload;
};

Bytes encode(FrameKind kind, std::span<const std::uint8_t> payload);

// Cuts a stream of bytes that arrives in arbitrary pieces into frames.
class FrameReader {
public:
    void append(std::span<const std::uint8_t> bytes) { buffer_.insert(buffer_.end(), bytes.begin(), bytes.end()); }
    // Returns the next complete frame, or nullopt if there is none yet.
    std::optional<Frame> next();
    // Whether the stream has turned out not to be a sequence of frames; next() then returns nullopt.
    bool is_broken() const { return broken_; }
    // Whether bytes of an incomplete frame are waiting.
    bool has_rest() const { return position_ < buffer_.size(); }

private:
    Bytes buffer_;
    std::size_t position_ = 0;
    bool broken_ = false;
};

}  // namespace haruspex::compiler
