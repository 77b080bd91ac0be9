#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/draw.h"
#include "reports/measure/methods.h"
#include "reports/measure/record.h"
#include "reports/measure/worklist.h"

// Compares the methods with each other and with the truth. All get the same problems; each answer is computed in a
// process of its own under the same limits.
namespace haruspex::measure {

struct Item {
    std::string name;                                                              // of the row; empty for other items
    std::expected<Problem, std::string> problem = std::unexpected(std::string());  // or why there is none
    std::vector<Question> questions;
    Sizes large;                                                  // the sizes for Question::large_sizes
    std::map<std::pair<Method, Question>, std::string> expected;  // expected outcomes, if any
    std::optional<Published> published;
    std::uint64_t effort = 1;    // multiplies the budget
    double compile_seconds = 0;  // of the compiler, for this program; 0 if not measured
};

// The items that are measured, in order.
struct Series {
    std::string description;  // identifies everything that determines the items
    std::uint64_t count = 0;
    std::function<Item(std::uint64_t index)> item;
};

// Returns random problems (draw.h). The workplace is borrowed.
Series generated(std::uint64_t seed, std::uint64_t count, const Workplace& workplace);

struct Options {
    std::vector<Method> methods{all_methods.begin(), all_methods.end()};
    Budget budget;
    bool prophecies = true;  // also validate each program again, with one prophecy made wrong
    bool any_build = false;  // resume a measurement that another build began, although its answers may differ
    int jobs = 1;
    std::filesystem::path out;
};

// Measures one item.
Record measure_item(std::uint64_t index, const Item& item, const compiler::Identity& identity, const Options& options);

// Returns the first line of cases.jsonl, which describes the items, the compiler and the options.
std::string header(const Series& series, const compiler::Identity& identity, const Options& options);
// Returns the first line for a ledger that only the same build may resume: the header and the build.
std::string first_line(const std::string& header, const compiler::Identity& identity);

// Measures the items that are not in OUT/cases.jsonl yet, in worker processes, and returns all records that are there
// then, in order. Finished records are kept however this ends. `stop` ends it after the items under way. An Error if
// the folder cannot be written, if it holds another measurement, or if another build measured part of it and
// Options::any_build is not set.
[[nodiscard]] Result<std::vector<Record>> run(const Series& series, const compiler::Identity& identity,
                                              const Options& options, const std::atomic<bool>& stop,
                                              const std::function<void(const Progress&)>& progress);

}  // namespace haruspex::measure
