#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/ledger.h"

// Lines that take long to compute. Worker processes compute one for each index, and each is kept when it is finished.
namespace haruspex::measure {

struct Worklist {
    std::string what;  // what the lines are about, such as "mutants"
    std::uint64_t count = 0;
    std::function<std::string(std::uint64_t index)> line;  // called in a worker
    // The line for an index whose worker died or threw, which is a fault of haruspex.
    std::function<std::string(std::uint64_t index, const std::string& fault)> faulty;
    int jobs = 1;
};

struct Progress {
    std::string what;  // Worklist::what
    std::uint64_t done = 0, count = 0;
    std::chrono::seconds elapsed{0};
    std::optional<std::chrono::seconds> left;
};

// Computes the lines that the ledger lacks. Returns all lines of the list that the ledger then has, in order. Finished
// lines are kept however this ends; `stop` ends it after the lines under way.
[[nodiscard]] Result<std::vector<std::string>> work_off(const Worklist& list, Ledger& ledger,
                                                        const std::atomic<bool>& stop,
                                                        const std::function<void(const Progress&)>& progress);

}  // namespace haruspex::measure
