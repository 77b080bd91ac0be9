#pragma once

#include "generators/base/choice.h"
#include "generators/schedule/halide/directive.h"

namespace haruspex::schedule::halide::test {

// Syntax only: names and levels need not exist anywhere.
Schedule random_schedule(Choices& choices);

}  // namespace haruspex::schedule::halide::test
