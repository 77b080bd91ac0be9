#pragma once

#include <vector>

#include "generators/schedule/language.h"
#include "generators/value/type.h"

namespace haruspex::minimize {

// The types of numbers that a compiler has, the plainest first: i32 needs no thought, and floats bring rounding and
// special values. A bug that shows with several types ends in the plainest of them, so that cases of one bug end in the
// same type. The first is schedule::plain_integer.
std::vector<value::Type> by_plainness(const schedule::Language& language);

}  // namespace haruspex::minimize
