#pragma once

#include "generators/base/choice.h"
#include "generators/schedule/directive.h"

namespace haruspex::schedule::test {

// Syntax only: names and levels need not exist anywhere.
Schedule random_schedule(Choices& choices);

}  // namespace haruspex::schedule::test
