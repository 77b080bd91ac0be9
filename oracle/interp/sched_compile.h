#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "oracle/interp/sched_code.h"

namespace haruspex::interp::loops {

// Compiles the program, which must outlive the code, since the code refers to it. Evaluates expressions of parameters
// alone. Compiles prophecies only on request. An Error if lanes need more than 2^26 slots. Every name is bound and
// every parameter has a value (ENSURE).
[[nodiscard]] Result<Code> compile(const sched::Program& program, const Sizes& parameters, bool with_prophecies);

}  // namespace haruspex::interp::loops
