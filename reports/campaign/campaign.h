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
#include "oracle/pipeline/judged.h"
#include "reports/campaign/proofs.h"
#include "reports/store/database.h"

// The loop: worker processes draw, compile, run and judge cases; one process keeps their answers.
//
// The state of a campaign is its folder. A process started with the same options in the same folder continues the
// campaign, alone or beside others: each takes a range of indices, works through it, and takes another. In the end
// every case is counted once, whichever process did it and however often one was killed.
namespace haruspex::campaign {

struct Options {
    std::uint64_t seed = 0;
    std::uint64_t first = 0;                   // index of the first case
    std::optional<std::uint64_t> cases;        // how many; absent: until the time is up or a stop is requested
    std::optional<std::chrono::seconds> time;  // of this run
    // End when this many cases in a row, in the order of their indices, brought no new group.
    std::optional<std::uint64_t> stop_when_quiet;
    // Limit in bytes for the folders of findings and faults. Those that do not fit are counted, not filed.
    std::optional<std::uint64_t> disk_quota;
    int jobs = 1;
    std::filesystem::path out;
    std::string compiler;  // its name; of a campaign in the folder, that of its first part
    compiler::Limits limits;
    // Limit on the processor time that haruspex itself takes for a case: a last resort for work without a budget of its
    // own. A case that exceeds it is a harness_failure.
    std::chrono::seconds most_time_of_case{600};
    random::Policy policy;
    // Takes the cases of this file (case_file.h) in their order instead of drawing cases: `first` is the number of
    // lines to skip, and `cases` is at most the number of lines left.
    std::optional<std::filesystem::path> cases_from;
    bool native = true;     // run every case; otherwise only lowered programs are judged (oracle/judge/lowered.h)
    bool validate = false;  // also pass every lowered program to the validator
    // A program validated for all sizes is interpreted at this many other sizes (pipeline::Options).
    std::uint64_t other_sizes = 0;
    bool prophecies = false;  // also lower every case with prophecies, and count how many could be transplanted
    bool list_cases = false;  // also write DIR/cases.jsonl: index, class, message of every case
};

struct Progress {
    std::uint64_t done = 0;  // cases done and on disk, including those of earlier runs
    std::map<std::string, std::uint64_t> by_class;
    std::uint64_t not_filed = 0;  // findings and faults beyond the disk quota
    double cases_per_second = 0;  // of this run
    std::chrono::seconds elapsed{0};
    std::optional<std::chrono::seconds> left;
};

// Covers all cases done in the folder, by any run.
struct Summary : store::Figures {
    Options options;
    compiler::Identity compiler;
    std::string cases_digest;  // of Options::cases_from; empty if cases are drawn
    bool interrupted = false;  // ended before everything that was requested was done
    // The rows of the validator's table (proofs.h), each with its cases in order.
    Rows proofs;
};

// Runs the campaign, or continues the one in the folder. `stop` may be set asynchronously (Ctrl-C); it ends the
// campaign after the cases under way. `progress` is called in the collecting process a few times a second. Call run()
// before any thread is started. An Error if the folder cannot be written, holds a campaign with other options, or no
// process can be started; cases that were reported to `progress` are kept.
//
// A case that makes haruspex itself fail is counted as harness_failure, with its index; the campaign goes on.
[[nodiscard]] Result<Summary> run(const Options& options, compiler::Compiler& compiler, const std::atomic<bool>& stop,
                                  const std::function<void(const Progress&)>& progress);

// Returns the median: half of the cases have at most that many directives.
std::uint64_t median_directives(const Summary& summary);

// {"campaign": options and versions, "results": the same for any number of jobs, "timing"}
std::string to_json(const Summary& summary);
// The table printed at the end.
std::string to_table(const Summary& summary);

}  // namespace haruspex::campaign
