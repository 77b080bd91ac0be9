#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/measure/record.h"

// Times and memory of the answers: they depend on the machine, so they are kept apart from the results.
namespace haruspex::measure {

struct Summary {
    std::uint64_t answers = 0;
    // Seconds of processor time. One answer in twenty takes more than `in_twenty`.
    double median = 0, in_twenty = 0, most = 0, sum = 0;
    std::uint64_t median_memory = 0, in_twenty_memory = 0, most_memory = 0;  // the same in bytes
};

struct Times {
    std::map<std::pair<Method, Question>, Summary> of_answers;
    // Seconds and MiB of answers that decide, in ascending order. Only answers for all sizes, and answers of methods
    // that run programs.
    std::map<Method, std::vector<double>> decided, memory_of_decided;
    // Answers for all sizes (and of methods that run programs), by statements_class.
    std::map<Method, std::map<std::uint64_t, Summary>> by_statements;
    std::map<std::string, std::uint64_t> builds;  // the number of records by build
};

Times times_of(const std::vector<Record>& records);

double mebibytes(std::uint64_t bytes);

// Returns the least power of two, at least four, that is not below the number of statements.
std::uint64_t statements_class(std::uint64_t statements);

}  // namespace haruspex::measure
