#pragma once

#include <isl/cpp.h>

#include <cstdint>

// Integer division of expressions over parameters, under what is known of the parameters.
namespace haruspex::affine {

struct Division {
    isl::pw_aff quotient, remainder;
};
// floor(a / b) and a - b*floor(a / b), b > 0 (ENSURE). Where the context allows it, a's terms are split into multiples
// of b and a rest in [0, b), and no existential variable is needed: of 8x + l with 0 <= l < 8 they are x and l. Only
// what they are within the context means anything.
Division divided(const isl::pw_aff& a, std::int64_t b, const isl::set& context);

}  // namespace haruspex::affine
