#pragma once

#include <string>

#include "generators/case/case.h"
#include "oracle/pipeline/judged.h"
#include "reports/render/report.h"

// Findings as issues.
namespace haruspex::bugs {

// Reports the case with its present verdict: a finding of another version need not show in this one. An Error if the
// case shows nothing or cannot be put to the compiler. `name` is the user's name for the case.
[[nodiscard]] Result<render::Report> report_on(const cases::Case& c, const std::string& name,
                                               const pipeline::Options& judging);

}  // namespace haruspex::bugs
