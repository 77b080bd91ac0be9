#pragma once

#include <string>

#include "generators/case/case.h"
#include "oracle/pipeline/judged.h"
#include "reports/render/report.h"

// Makes issues of findings.
namespace haruspex::bugs {

// Judges the case again and returns a report of what it shows: a finding of another version need not show in this one.
// If only the validator finds an error, the report is of a similar case that goes wrong when it runs, if one is found
// (bugs::shown_by_running). An Error if the case shows nothing or cannot be put to the compiler. `name` is the user's
// name for the case.
[[nodiscard]] Result<render::Report> report_on(const cases::Case& c, const std::string& name,
                                               const pipeline::Options& judging);

}  // namespace haruspex::bugs
