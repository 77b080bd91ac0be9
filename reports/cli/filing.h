#pragma once

#include <string>

#include "generators/case/case.h"
#include "oracle/pipeline/judged.h"
#include "reports/render/report.h"

// Findings as issues.
namespace haruspex::cli {

// The case as it shows now: what was found in another version need not be in this one. An Error when it shows nothing,
// or it cannot be put to the compiler; `name` is what the user calls it.
[[nodiscard]] Result<render::Report> report_on(const cases::Case& c, const std::string& name,
                                               const pipeline::Options& judging);

}  // namespace haruspex::cli
