#include "harness/compiler/frame.h"

#include <string_view>

#include "generators/base/fnv1a.h"

namespace haruspex::compiler {
namespace {

constexpr std::uint32_t magic = 0x70737268;  // "hrsp"
constexpr std::size_t header_size = 4 + 1 + 4 + 8;
// Two runs of all outputs of a case stay far below this.
constexpr std::uint32_t largest_payload = std::uint32_t{1} << 30;

template <typename Number>
void put(Bytes& out, Number number) {
    for (std::size_t i = 0; i < sizeof(Number); ++i) { out.push_back(static_cast<std::uint8_t>(number >> (8 * i))); }
}

template <typename Number>
Number get(const std::uint8_t* from) {
    Number number = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) { number |= static_cast<Number>(Number{from[i]} << (8 * i)); }
    return number;
}

std::uint64_t checksum(std::uint8_t kind, std::span<const std::uint8_t> payload) {
    const auto text = [](std::span<const std::uint8_t> bytes) {
        return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    return fnv1a(text(payload), fnv1a(text({&kind, 1})));
}

bool is_kind(std::uint8_t kind) {
    return kind >= static_cast<std::uint8_t>(FrameKind::phase) && kind <= static_cast<std::uint8_t>(FrameKind::regions);
}

}  // namespace

Bytes encode(FrameKind kind, std::span<const std::uint8_t> payload) {
    const auto kind_byte = static_cast<std::uint8_t>(kind);
    Bytes out;
    out.reserve(header_size + payload.size());
    put(out, magic);
    out.push_back(kind_byte);
    put(out, static_cast<std::uint32_t>(payload.size()));
    put(out, checksum(kind_byte, payload));
    out.insert(out.end(), payload.begin(), payload.end());
    return out;
}

std::optional<Frame> FrameReader::next() {
    if (broken_ || buffer_.size() - position_ < header_size) { return std::nullopt; }
    const std::uint8_t* header = buffer_.data() + position_;
    const std::uint8_t kind = header[4];
    const auto length = get<std::uint32_t>(header + 5);
    if (get<std::uint32_t>(header) != magic || !is_kind(kind) || length > largest_payload) {
        broken_ = true;
        return std::nullopt;
    }
    if (buffer_.size() - position_ < header_size + length) { return std::nullopt; }
    const std::span<const std::uint8_t> payload(header + header_size, length);
    if (get<std::uint64_t>(header + 9) != checksum(kind, payload)) {
        broken_ = true;
        return std::nullopt;
    }
    Frame frame{static_cast<FrameKind>(kind), Bytes(payload.begin(), payload.end())};
    position_ += header_size + length;
    return frame;
}

}  // namespace haruspex::compiler
