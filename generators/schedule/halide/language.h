#pragma once

#include "generators/schedule/language.h"

namespace haruspex::schedule::halide {

// The newest version of Halide whose vocabulary is known.
inline constexpr int newest_version = 21;

// Returns the language of a major version. A version above newest_version counts as newest_version.
const Language& language(int version = newest_version);

}  // namespace haruspex::schedule::halide
