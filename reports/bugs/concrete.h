#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "reports/session/judge.h"

// Turns a case that only the validator refutes into one that goes wrong when it runs.
namespace haruspex::bugs {

// Returns a variant of the case that goes wrong when it runs; nullopt if none of those tried does. First tries the
// case's inputs at `sizes` (those of a counterexample), if given. Then tries other seeds of inputs at the case's own
// sizes: with the case's own domains, with small numbers, and with integers of the full range. `lowered` judges a
// candidate without running compiled code. `native` runs it, and is called only if `lowered` finds the candidate wrong.
std::optional<cases::Case> shown_by_running(const cases::Case& c, const std::optional<Sizes>& sizes,
                                            const session::Judge& lowered, const session::Judge& native);

}  // namespace haruspex::bugs
