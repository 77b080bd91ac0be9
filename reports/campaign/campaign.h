#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/random/policy.h"
#include "oracle/pipeline/pipeline.h"

// The loop: worker processes draw, compile, run and judge cases; one process collects, counts and files.
namespace haruspex::campaign {

struct Options {
    std::uint64_t seed = 0;
    std::uint64_t first = 0;                       // index of the first case
    std::optional<std::uint64_t> cases;            // how many; absent: until the time is up or a stop is asked for
    std::optional<std::chrono::seconds> time;
    int jobs = 1;
    std::filesystem::path out;
    compiler::Limits limits;
    random::Policy policy;
    bool list_cases = false;                       // also write DIR/cases.jsonl: index, class, message of every case
};

struct Progress {
    std::uint64_t done = 0;
    std::map<std::string, std::uint64_t> by_class;
    double cases_per_second = 0;
    std::chrono::seconds elapsed{0};
    std::optional<std::chrono::seconds> left;
};

struct Summary {
    Options options;
    compiler::Identity compiler;
    std::map<std::string, std::uint64_t> by_class;
    std::map<std::string, std::uint64_t> rejections;          // normalised reason -> cases
    std::map<std::string, std::vector<std::uint64_t>> groups; // finding group -> case indices in order
    std::map<std::string, double> seconds_by_stage;
    std::uint64_t cases = 0;
    double seconds = 0;
    bool interrupted = false;
};

// Runs the campaign; `stop` may be set asynchronously (Ctrl-C) and ends it after the cases under way. `progress` is
// called in the collecting process a few times a second.
[[nodiscard]] Result<Summary> run(const Options& options, compiler::Compiler& compiler, const std::atomic<bool>& stop,
                                  const std::function<void(const Progress&)>& progress);

std::string to_json(const Summary& summary);
// The table printed at the end.
std::string to_table(const Summary& summary);

}  // namespace haruspex::campaign
