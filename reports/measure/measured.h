#pragma once

#include <string>
#include <vector>

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

}  // namespace haruspex::measure
