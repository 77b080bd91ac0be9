#pragma once

#include <optional>

#include "harness/halide/failed_check.h"

// Where Halide 21 composes a message of an error. Before it does so it asks whether it is to debug, by a function that
// is found in this executable, as the passes are (passes.h). Older versions put the place into the text. check_place.cpp
// stands in a build that can observe the lowering; in others nothing is known.
namespace haruspex::halide {

// Forgets the last place.
void forget_check_place();
// Returns the place at which Halide last asked, since the last one was forgotten. After an error it is that of the
// error, since an error is thrown as soon as its message is composed. nullopt: it did not ask.
std::optional<CheckPlace> last_check_place();

}  // namespace haruspex::halide
