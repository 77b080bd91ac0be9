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
    double median = 0, in_twenty = 0, most = 0, sum = 0;                     // seconds of processor time
    std::uint64_t median_memory = 0, in_twenty_memory = 0, most_memory = 0;  // bytes; one in twenty takes more
};

struct Times {
    std::map<std::pair<Method, Question>, Summary> of_answers;
    // For deciding answers, in ascending order: seconds, and MiB. Only answers about all sizes, or of methods that run
    // programs.
    std::map<Method, std::vector<double>> decided, memory_of_decided;
    // Answers about all sizes, by statements_class.
    std::map<Method, std::map<std::uint64_t, Summary>> by_statements;
    std::map<std::string, std::uint64_t> builds;  // the number of records by build
};

Times times_of(const std::vector<Record>& records);

double mebibytes(std::uint64_t bytes);

// The least power of two, at least four, that is not below the number of statements.
std::uint64_t statements_class(std::uint64_t statements);

}  // namespace haruspex::measure
