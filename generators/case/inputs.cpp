#include <array>
#include <cmath>
#include <limits>

#include "generators/base/ensure.h"
#include "generators/base/fnv1a.h"
#include "generators/base/mix.h"
#include "generators/case/case.h"

// The published hash of input cells, version 1. A stand-alone reproducer repeats it in a few lines:
//
//   uint64_t mix(uint64_t z) {                                  // one step of splitmix64
//       z += 0x9e3779b97f4a7c15;
//       z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
//       z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
//       return z ^ (z >> 31);
//   }
//   uint64_t name = 0xcbf29ce484222325;                         // FNV-1a of the input's name
//   for (unsigned char c : "in") name = (name ^ c) * 0x100000001b3;
//   uint64_t h = mix(seed ^ name);
//   for (int64_t i : indices) h = mix(h ^ (uint64_t)i);         // dimension 0 first
//
// The cell is n * 2^-scale with n = low + h mod (high - low + 1); bool: n itself, 0 or 1. With special values (floats
// only), let g = mix(h): when g mod 4 = 0 the cell is instead element (g / 4) mod 8 of
//   { NaN, +0, -0, +inf, -inf, smallest denormal, -smallest denormal, largest denormal }
// with the quiet NaN of positive sign and no further payload.
namespace haruspex::cases {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t cell_hash(std::uint64_t seed, const std::string& input, const std::vector<std::int64_t>& indices) {
    std::uint64_t h = input_start(seed, input);
    for (const std::int64_t i : indices) { h = mix(h ^ static_cast<std::uint64_t>(i)); }
    return h;
}

template <typename Float>
Float special_value(std::uint64_t which) {
    using Limits = std::numeric_limits<Float>;
    const std::array<Float, 8> values{Limits::quiet_NaN(),
                                      Float{0},
                                      -Float{0},
                                      Limits::infinity(),
                                      -Limits::infinity(),
                                      Limits::denorm_min(),
                                      -Limits::denorm_min(),
                                      std::nextafter(Limits::min(), Float{0})};
    return values[which % values.size()];
}

}  // namespace

std::uint64_t input_start(std::uint64_t seed, const std::string& input) { return mix(seed ^ fnv1a(input)); }

value::Value input_value(std::uint64_t seed, const std::string& input, const InputDomain& domain,
                         const std::vector<std::int64_t>& indices) {
    const value::Range& range = domain.range;
    ENSURE(range.low <= range.high, "the range of an input is not empty");
    const std::uint64_t h = cell_hash(seed, input, indices);
    if (domain.special_values) {
        ENSURE(value::is_float(range.type), "special values are for floats");
        const std::uint64_t g = mix(h);
        if (g % 4 == 0) {
            return range.type == value::Type::f32 ? value::Value::f32(special_value<float>(g / 4))
                                                  : value::Value::f64(special_value<double>(g / 4));
        }
    }
    const Wide count = static_cast<Wide>(range.high) - static_cast<Wide>(range.low) + 1;
    // A 64-bit division is several times faster, and nearly every range is small enough.
    const bool is_small = count != 0 && (count >> 64) == 0;
    const Wide offset =
        is_small ? Wide{h % static_cast<std::uint64_t>(count)} : (count == 0 ? Wide{h} : Wide{h} % count);
    const auto n = static_cast<value::Int128>(static_cast<Wide>(range.low) + offset);
    if (!value::is_float(range.type)) { return value::Value::from_bits(range.type, static_cast<std::uint64_t>(n)); }
    const double number = std::ldexp(static_cast<double>(n), -range.scale);
    return range.type == value::Type::f32 ? value::Value::f32(static_cast<float>(number)) : value::Value::f64(number);
}

}  // namespace haruspex::cases
