#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "reports/campaign/kept.h"
#include "reports/campaign/live.h"
#include "reports/campaign/options.h"
#include "reports/campaign/status.h"
#include "reports/campaign/summary.h"

// The loop: worker processes draw, compile, run and judge cases; one process keeps their answers.
//
// The state of a campaign is its folder. A process started with the same options in the same folder continues the
// campaign, alone or beside others: each process takes a range of indices, works through it, and takes another one. In
// the end every case is counted once, whichever process did it and however often one was killed.
namespace haruspex::campaign {

struct Progress {
    std::uint64_t done = 0;  // cases done and on disk, including those of earlier runs and, nearly, of other processes
    std::map<std::string, std::uint64_t> by_class;
    std::uint64_t not_filed = 0;  // findings and faults beyond the disk quota
    double cases_per_second = 0;  // of all processes at work in the folder, since this run began
    std::chrono::seconds elapsed{0};
    std::optional<std::chrono::seconds> left;  // estimated time to the end; absent if unlimited
    std::vector<Kept> kept;                    // since the last call, in order; each case is on disk
    Live live;                                 // what this process says of itself to others
    // Reads the whole status from the folder, which takes a tenth of a second for ten thousand cases.
    std::function<Result<Status>()> status;
};

// Runs the campaign, or continues the one in the folder. `stop` may be set asynchronously (Ctrl-C) and ends the
// campaign after the cases under way. `progress` is called in the collecting process a few times a second. Call run()
// before any thread is started. An Error if the folder cannot be written or holds a campaign with other fixed options,
// if the file of cases is not one for this compiler, or if no process can be started. Cases that were reported to
// `progress` are kept even then.
//
// A case that makes haruspex itself fail is counted as harness_failure, with its index; the campaign goes on.
[[nodiscard]] Result<Summary> run(const Options& options, compiler::Compiler& compiler, const std::atomic<bool>& stop,
                                  const std::function<void(const Progress&)>& progress);

}  // namespace haruspex::campaign
