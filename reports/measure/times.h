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
    double median = 0, in_twenty = 0, most = 0, sum = 0;                     // seconds of processor time
    std::uint64_t median_memory = 0, in_twenty_memory = 0, most_memory = 0;  // bytes; one in twenty takes more
};

struct Times {
    std::map<std::pair<Method, Question>, Summary> of_answers;
    // Of the answers that decide, about all sizes, or of programs that are run, in ascending order each: seconds, and
    // MiB.
    std::map<Method, std::vector<double>> decided, memory_of_decided;
    // About all sizes, by the power of two below which the number of statements lies.
    std::map<Method, std::map<std::uint64_t, Summary>> by_statements;
    std::map<std::string, std::uint64_t> builds;  // how many records each made
};

Times times_of(const std::vector<Record>& records);

double mebibytes(std::uint64_t bytes);

// The least power of two, at least four, that is not below the number of statements.
std::uint64_t statements_class(std::uint64_t statements);

}  // namespace haruspex::measure
