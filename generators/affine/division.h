#pragma once

#include <isl/cpp.h>

#include <cstdint>

// Integer division of expressions over parameters, given a context of the parameters.
namespace haruspex::affine {

struct Division {
    isl::pw_aff quotient, remainder;
};
// floor(a / b) and a - b*floor(a / b); b > 0 (ENSURE). If the context allows it, the terms of a are split into
// multiples of b and a rest in [0, b), without existential variables: 8x + l with 0 <= l < 8 gives x and l for b = 8.
// The results are valid within the context only.
Division divided(const isl::pw_aff& a, std::int64_t b, const isl::set& context);

}  // namespace haruspex::affine
