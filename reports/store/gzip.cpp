#include "reports/store/gzip.h"

#include <zlib.h>

#include <array>
#include <limits>

#include "generators/base/ensure.h"

namespace haruspex::store {
namespace {

constexpr std::string_view magic = "\x1f\x8b";
// zlib's code for the largest window with a gzip header.
constexpr int gzip_window = 15 + 16;

struct Inflation {
    z_stream stream{};
    Inflation() { ENSURE(inflateInit2(&stream, gzip_window) == Z_OK, "zlib starts"); }
    ~Inflation() { inflateEnd(&stream); }
    Inflation(const Inflation&) = delete;
    Inflation& operator=(const Inflation&) = delete;
};

}  // namespace

Result<std::string> unpacked(std::string_view text) {
    if (!text.starts_with(magic)) { return std::string(text); }
    if (text.size() > std::numeric_limits<uInt>::max()) { return fail("a packed file of more than 4 GB"); }
    Inflation inflation;
    z_stream& stream = inflation.stream;
    // zlib takes a pointer to non-const, but only reads.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    std::string result;
    std::array<char, 1U << 16U> part{};
    while (true) {
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = part.size();
        const int state = inflate(&stream, Z_NO_FLUSH);
        result.append(part.data(), part.size() - stream.avail_out);
        if (state == Z_STREAM_END) {
            if (stream.avail_in == 0) { return result; }
            // gzip files may be concatenated.
            ENSURE(inflateReset(&stream) == Z_OK, "zlib starts again");
        } else if (state != Z_OK) {
            return fail(state == Z_BUF_ERROR ? "a packed file that is cut short" : "a packed file that is damaged");
        }
    }
}

}  // namespace haruspex::store
