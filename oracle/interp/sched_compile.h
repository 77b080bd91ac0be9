#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "oracle/interp/sched_code.h"

namespace haruspex::interp::loops {

// Compiles the program. The code refers to it, so it must outlive the code. Expressions of parameters alone are
// evaluated here. Prophecies are compiled only on request. An Error if lanes need more than 2^26 slots. Every name is
// bound and every parameter has a value (ENSURE).
[[nodiscard]] Result<Code> compile(const sched::Program& program, const Sizes& parameters, bool with_prophecies);

}  // namespace haruspex::interp::loops
