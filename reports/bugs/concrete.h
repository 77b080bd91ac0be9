#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// From what the validator found of a case to a case that shows it when it runs.
namespace haruspex::bugs {

using Judging = std::function<verdict::Verdict(const cases::Case&)>;

// The case at the sizes of a counterexample, if there are any, or on other inputs: other seeds, with its own domains,
// small numbers, and integers of the whole range. `lowered` judges the lowered program alone, and `native` what runs;
// the latter is asked only of what the former calls wrong. Nothing when none of them is wrong natively.
std::optional<cases::Case> shown_by_running(const cases::Case& c, const std::optional<Sizes>& sizes,
                                            const Judging& lowered, const Judging& native);

}  // namespace haruspex::bugs
