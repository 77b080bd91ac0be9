#pragma once

#include <string>

#include "reports/measure/measured.h"
#include "reports/measure/results.h"
#include "reports/measure/times.h"

namespace haruspex::measure {

// Returns the results as one HTML page that needs no network and no script: tables, and plots as far as they can be
// drawn, each with its table.
std::string page(const Measured& measured, const Results& results, const Times& times);

}  // namespace haruspex::measure
