#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/detect.h"
#include "reports/measure/record.h"
#include "reports/measure/witnesses.h"

namespace haruspex::measure {

struct Measured {
    std::string header;  // what was measured: the first line of cases.jsonl
    std::vector<Record> records;
    std::vector<Detected> detected;
    std::vector<Witness> witnesses;
};

// Writes measure.json, measure.csv and measure.html, detected.csv, witnesses/METHOD-INDEX.json (a case), overview.md
// for a README, with a table of rows of which something is published, and plots/NAME.svg, as far as gnuplot is there to
// draw them. All of measure.json but what stands under "times" is the same whenever the same is measured, unless a
// limit of time or memory ended an answer.
[[nodiscard]] Result<void> publish(const std::filesystem::path& folder, const Measured& measured);

// Whether anything is wrong: an answer, a program that fooled the validator, a row that is not as expected.
bool has_findings(const std::vector<Record>& records);

}  // namespace haruspex::measure
