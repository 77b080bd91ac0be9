#pragma once

#include "generators/schedule/language.h"

namespace haruspex::schedule::halide {

// The newest version of Halide whose vocabulary is known.
inline constexpr int newest_version = 21;

// The language of a major version; an older one than the oldest known is taken for that, and likewise a newer one.
const Language& language(int version = newest_version);

}  // namespace haruspex::schedule::halide
