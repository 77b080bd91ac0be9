#pragma once

#include <filesystem>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/measured.h"
#include "reports/measure/record.h"

namespace haruspex::measure {

// Writes measure.json, measure.csv, measure.html, detected.csv, witnesses/METHOD-INDEX.json (a case), overview.md for a
// README, with a table of the rows that have published results, and plots/NAME.svg if gnuplot is available. Except for
// "times", measure.json is the same for equal measurements, unless a limit of time or memory ended an answer.
[[nodiscard]] Result<void> publish(const std::filesystem::path& folder, const Measured& measured);

// Whether there is a wrong answer, a validated wrong program with a wrong prophecy, or a row with an unexpected
// outcome.
bool has_findings(const std::vector<Record>& records);

}  // namespace haruspex::measure
