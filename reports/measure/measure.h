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

// The methods against each other and against the truth: every one of them on the same problems, each answer looked for
// in a process of its own under the same limits.
namespace haruspex::measure {

struct Item {
    std::string name;                                                              // of a row
    std::expected<Problem, std::string> problem = std::unexpected(std::string());  // or why there is none
    std::vector<Question> questions;
    Sizes large;                                                  // of Question::large_sizes
    std::map<std::pair<Method, Question>, std::string> expected;  // outcomes, where something is
    std::optional<Published> published;
    std::uint64_t effort = 1;    // so many times the budget's
    double compile_seconds = 0;  // of the compiler, for this program; 0 where it is not measured
};

// What is measured, one after the other.
struct Series {
    std::string description;  // of everything that decides what the items are
    std::uint64_t count = 0;
    std::function<Item(std::uint64_t index)> item;
};

// Random problems (draw.h); the workplace is borrowed.
Series generated(std::uint64_t seed, std::uint64_t count, const Workplace& workplace);

struct Options {
    std::vector<Method> methods{all_methods.begin(), all_methods.end()};
    Budget budget;
    bool prophecies = true;  // also put each program with a wrong prophecy to the validator
    bool any_build = false;  // go on with what another build measured, which may have answered otherwise
    int jobs = 1;
    std::filesystem::path out;
};

// Measures one item.
Record measure_item(std::uint64_t index, const Item& item, const compiler::Identity& identity, const Options& options);

// What was measured with what.
std::string header(const Series& series, const compiler::Identity& identity, const Options& options);
// The first line of a ledger that only the build which began it goes on with.
std::string first_line(const std::string& header, const compiler::Identity& identity);

// Measures what is not in OUT/cases.jsonl yet, in worker processes, and returns everything that is, in order. What was
// told there is kept whenever and however this ends; `stop` ends it after what is under way. An Error when the folder
// cannot be written, holds something else than a measurement of the same, or is to be gone on with and another build
// measured any of it, unless that is allowed.
[[nodiscard]] Result<std::vector<Record>> run(const Series& series, const compiler::Identity& identity,
                                              const Options& options, const std::atomic<bool>& stop,
                                              const std::function<void(const Progress&)>& progress);

}  // namespace haruspex::measure
