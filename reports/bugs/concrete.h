#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// Turns a case that only the validator refutes into one that goes wrong when it runs.
namespace haruspex::bugs {

using Judging = std::function<verdict::Verdict(const cases::Case&)>;

// Returns a variant of the case that is wrong natively; nullopt if none is. Tries the sizes of a counterexample, if
// given, then other inputs: other seeds, with the case's own domains, small numbers, and integers of the full range.
// `lowered` judges the lowered program alone, `native` the compiled one; `native` is called only for candidates that
// `lowered` finds wrong.
std::optional<cases::Case> shown_by_running(const cases::Case& c, const std::optional<Sizes>& sizes,
                                            const Judging& lowered, const Judging& native);

}  // namespace haruspex::bugs
