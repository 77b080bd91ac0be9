#pragma once

#include <isl/cpp.h>

#include <cstdint>

// Divides expressions over parameters by integers, given what is known of the parameters.
namespace haruspex::affine {

struct Division {
    isl::pw_aff quotient, remainder;
};
// Returns floor(a / b) and a - b*floor(a / b); b > 0 (ENSURE). The results are valid only in the set `context`. If the
// terms of `a` are multiples of b and a rest that lies in [0, b) in `context`, the results have no existential
// variables: 8x + l with 0 <= l < 8 gives x and l for b = 8.
Division divided(const isl::pw_aff& a, std::int64_t b, const isl::set& context);

}  // namespace haruspex::affine
