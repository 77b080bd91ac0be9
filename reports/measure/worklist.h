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

// Lines that are long in the making: one for each index, made by worker processes, kept as they come.
namespace haruspex::measure {

struct Worklist {
    std::string what;  // the lines are of: "mutants"
    std::uint64_t count = 0;
    std::function<std::string(std::uint64_t index)> line;  // called in a worker
    // What stands for it where the worker died or threw, which is a fault of ours.
    std::function<std::string(std::uint64_t index, const std::string& fault)> faulty;
    int jobs = 1;
};

struct Progress {
    std::string what;  // of the worklist
    std::uint64_t done = 0, count = 0;
    std::chrono::seconds elapsed{0};
    std::optional<std::chrono::seconds> left;
};

// Makes the lines that the ledger does not have yet, and returns those of the list that it has then, in order. Whatever
// was told to the ledger is kept whenever and however this ends; `stop` ends it after what is under way.
[[nodiscard]] Result<std::vector<std::string>> work_off(const Worklist& list, Ledger& ledger,
                                                        const std::atomic<bool>& stop,
                                                        const std::function<void(const Progress&)>& progress);

}  // namespace haruspex::measure
