#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"
#include "reports/minimize/requirements.h"
#include "reports/session/judge.h"

// Judges cases in worker processes and delivers the verdicts in order.
namespace haruspex::minimize {

// Called with the results in the order of the cases, as if each case was judged only when its turn comes; nullopt for
// a case that does not meet the requirements and was not run. Returning false ends the trial.
using OnVerdict = std::function<bool(std::size_t index, const std::optional<verdict::Verdict>& verdict)>;

// Judges the cases. Returns the number of runs whose results were not delivered, because their cases come after the
// one that ended the trial. A case that kills its process has the verdict harness_failure. An Error if no process can
// be started.
[[nodiscard]] Result<std::uint64_t> judge_in_order(const std::vector<cases::Case>& cases,
                                                   const Requirements& requirements, const session::Judge& judge,
                                                   int jobs, const OnVerdict& on_verdict);

}  // namespace haruspex::minimize
