#pragma once

#include <string>
#include <vector>

#include "reports/measure/results.h"
#include "reports/measure/times.h"

namespace haruspex::measure {

// The results on one page of HTML that needs no network and no script: tables, and the plots that can be drawn, each
// with its table. `header` says what was measured (the first line of cases.jsonl).
std::string page(const std::string& header, const std::vector<Record>& records, const Results& results,
                 const Times& times);

}  // namespace haruspex::measure
