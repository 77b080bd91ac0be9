#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <optional>

// Integer division and ranges of expressions over parameters, under what is known of the parameters.
namespace haruspex::affine {

// The least and the greatest value; nothing where there is none, or none that fits 64 bits.
struct Range {
    std::optional<std::int64_t> min, max;
};
// Within a context: a set of parameters. Where the expression has no value there, both are nothing.
Range range(const isl::pw_aff& expression, const isl::set& context);

struct Division {
    isl::pw_aff quotient, remainder;
};
// floor(a / b) and a - b*floor(a / b), b > 0 (ENSURE). Where the context allows it, a's terms are split into multiples
// of b and a rest in [0, b), and no existential variable is needed: of 8x + l with 0 <= l < 8 they are x and l. Only
// what they are within the context means anything.
Division divided(const isl::pw_aff& a, std::int64_t b, const isl::set& context);

}  // namespace haruspex::affine
