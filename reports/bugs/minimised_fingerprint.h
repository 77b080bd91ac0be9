#pragma once

#include <cstdint>
#include <optional>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"
#include "reports/bugs/fingerprint.h"

namespace haruspex::bugs {

// Returns the fingerprint of a case after minimising it with the installed compiler in at most `most_runs` runs;
// nullopt if the case shows nothing, or cannot be put to the compiler. `verdict` is the verdict of a finding; an issue
// has none. Without a verdict, the case is first judged by running it, and then, if that shows nothing, by the
// validator.
[[nodiscard]] Result<std::optional<Fingerprint>> minimised_fingerprint(const cases::Case& c,
                                                                       const std::optional<verdict::Verdict>& verdict,
                                                                       std::uint64_t most_runs, int jobs);

}  // namespace haruspex::bugs
