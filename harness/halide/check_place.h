#pragma once

#include <optional>

#include "harness/halide/failed_check.h"

// Where Halide 21 composes the message of an error. Before it does so it asks whether it is to debug, and then throws, by
// functions that are found in this executable, as the passes are (passes.h). Older versions put the place into the text. check_place.cpp
// stands in a build that can observe the lowering; in others nothing is known.
namespace haruspex::halide {

// Forgets the last place.
void forget_check_place();
// Returns the place of the last internal error since the last place was forgotten: where Halide asked last before it
// threw. Later it may ask again, on the way of the error to the caller. nullopt: it did not ask.
std::optional<CheckPlace> last_check_place();

}  // namespace haruspex::halide
