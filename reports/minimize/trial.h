#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"
#include "reports/minimize/requirements.h"

// Cases examined in worker processes, and heard in their order.
namespace haruspex::minimize {

// What the pipeline says of a case; the same whenever it is asked. Called in a forked process.
using Examine = std::function<verdict::Verdict(const cases::Case& c)>;

// Hears the results one after the other, as if each case was examined only then; nothing of a case that does not meet
// the requirements and was not run. False ends the trial.
using OnVerdict = std::function<bool(std::size_t index, const std::optional<verdict::Verdict>& verdict)>;

// Returns how many runs were made that nobody heard of: of cases behind the one that ended the trial. A case that kills
// its process has the verdict harness_failure. An Error when no process can be started.
[[nodiscard]] Result<std::uint64_t> examine_in_order(const std::vector<cases::Case>& cases,
                                                     const Requirements& requirements, const Examine& examine, int jobs,
                                                     const OnVerdict& on_verdict);

}  // namespace haruspex::minimize
