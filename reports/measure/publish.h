#pragma once

#include <filesystem>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/measured.h"
#include "reports/measure/record.h"

namespace haruspex::measure {

// Writes the measurement's files: measure.json, measure.csv, measure.html, detected.csv, witnesses/METHOD-INDEX.json (a
// case each), plots/NAME.svg if gnuplot is available, and overview.md, the tables for a README. Equal measurements give
// the same measure.json, except for "times", unless a limit of time or memory ended an answer.
[[nodiscard]] Result<void> publish(const std::filesystem::path& folder, const Measured& measured);

// Whether there is a wrong answer, a wrong program that was validated with a wrong prophecy, or a row with an
// unexpected outcome.
bool has_findings(const std::vector<Record>& records);

}  // namespace haruspex::measure
