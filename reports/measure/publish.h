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
    std::string header;  // the measurement: the first line of cases.jsonl
    std::vector<Record> records;
    std::vector<Detected> detected;
    std::vector<Witness> witnesses;
};

// Writes measure.json, measure.csv, measure.html, detected.csv, witnesses/METHOD-INDEX.json (a case), overview.md for a
// README, with a table of the rows that have published results, and plots/NAME.svg if gnuplot is available. Except for
// "times", measure.json is the same for equal measurements, unless a limit of time or memory ended an answer.
[[nodiscard]] Result<void> publish(const std::filesystem::path& folder, const Measured& measured);

// Whether there is a wrong answer, a validated wrong program with a wrong prophecy, or a row with an unexpected
// outcome.
bool has_findings(const std::vector<Record>& records);

}  // namespace haruspex::measure
