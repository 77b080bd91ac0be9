#pragma once

#include "generators/schedule/language.h"

namespace haruspex::schedule::toy {

const Language& language(int version = 1);

}  // namespace haruspex::schedule::toy
