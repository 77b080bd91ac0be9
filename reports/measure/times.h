#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/measure/record.h"

// What the answers took: the machine's own, and so apart from the results.
namespace haruspex::measure {

struct Summary {
    std::uint64_t answers = 0;
    double median = 0, in_twenty = 0, most = 0, sum = 0;  // seconds of processor time; one in twenty takes longer
    std::uint64_t most_memory = 0;                        // bytes
};

struct Times {
    std::map<std::pair<Method, Question>, Summary> of_answers;
    // Of the answers that decide, about all sizes, or of programs that are run, in ascending order: seconds.
    std::map<Method, std::vector<double>> decided;
    // About all sizes, by the power of two below which the number of statements lies.
    std::map<Method, std::map<std::uint64_t, Summary>> by_statements;
};

Times times_of(const std::vector<Record>& records);

// The least power of two, at least four, that is not below the number of statements.
std::uint64_t statements_class(std::uint64_t statements);

}  // namespace haruspex::measure
