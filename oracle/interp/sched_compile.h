#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "oracle/interp/sched_code.h"

namespace haruspex::interp::loops {

// The code refers to the program, which must outlive it. Whatever depends on the parameters alone is evaluated here.
// Prophecies are compiled only when asked for. An Error when lanes need more than 2^26 slots. ENSUREs that every name
// is bound and every parameter has a value.
[[nodiscard]] Result<Code> compile(const sched::Program& program, const Sizes& parameters, bool with_prophecies);

}  // namespace haruspex::interp::loops
