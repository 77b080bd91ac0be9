#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/record.h"

namespace haruspex::measure {

// Writes measure.json, measure.csv and measure.html, overview.md for a README, and plots/NAME.svg, as far as gnuplot is
// there to draw them. All of measure.json but what stands under "times" is the same
// whenever the same is measured, unless a limit of time or memory ended an answer.
[[nodiscard]] Result<void> publish(const std::filesystem::path& folder, const std::string& header,
                                   const std::vector<Record>& records);

// Whether anything is wrong: an answer, a program that fooled the validator, a row that is not as expected.
bool has_findings(const std::vector<Record>& records);

}  // namespace haruspex::measure
