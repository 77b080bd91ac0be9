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

// The loop: worker processes draw, compile, run and judge cases; one process keeps what they tell.
//
// A campaign is what stands in its folder. Whoever runs one with the same options in the same folder goes on with it,
// alone or beside others: each takes ranges of indices, does them, and takes more. In the end every case was counted
// once, whoever did it and however often somebody was killed.
namespace haruspex::campaign {

struct Options {
    std::uint64_t seed = 0;
    std::uint64_t first = 0;                   // index of the first case
    std::optional<std::uint64_t> cases;        // how many; absent: until the time is up or a stop is asked for
    std::optional<std::chrono::seconds> time;  // of this run
    // End when so many cases in a row, in the order of their indices, brought no new group.
    std::optional<std::uint64_t> stop_when_quiet;
    // Bytes that the folders of findings and faults may take. Those for which there is no room are counted, not filed.
    std::optional<std::uint64_t> disk_quota;
    int jobs = 1;
    std::filesystem::path out;
    compiler::Limits limits;
    // Of processor time that haruspex itself takes for a case: a last resort, where nothing is counted. Beyond it the
    // case is a harness_failure.
    std::chrono::seconds most_time_of_case{600};
    random::Policy policy;
    // The cases of this file (case_file.h) in their order, instead of cases that are drawn: `first` is the number of
    // lines to skip, and `cases` at most what is left.
    std::optional<std::filesystem::path> cases_from;
    bool native = true;     // run every case; otherwise only what is lowered is judged (oracle/judge/lowered.h)
    bool validate = false;  // also put every lowered program to the validator
    // What is validated for all sizes is interpreted at so many others (pipeline::Options).
    std::uint64_t other_sizes = 0;
    bool prophecies = false;  // also lower every case with prophecies, and count how many could be transplanted
    bool list_cases = false;  // also write DIR/cases.jsonl: index, class, message of every case
};

struct Progress {
    std::uint64_t done = 0;  // and on disk; of earlier runs, too
    std::map<std::string, std::uint64_t> by_class;
    std::uint64_t not_filed = 0;  // findings and faults beyond the disk quota
    double cases_per_second = 0;  // of this run
    std::chrono::seconds elapsed{0};
    std::optional<std::chrono::seconds> left;
};

// Of all that was done in the folder, by whichever run.
struct Summary : store::Figures {
    Options options;
    compiler::Identity compiler;
    std::string cases_digest;  // of Options::cases_from; empty when cases are drawn
    bool interrupted = false;  // ended before all that was asked for was done
    // The rows of the validator's table (proofs.h), each with its cases in order.
    Rows proofs;
};

// Runs the campaign, or goes on with the one in the folder; `stop` may be set asynchronously (Ctrl-C) and ends it after
// the cases under way. `progress` is called in the collecting process a few times a second. Call it before any thread
// is started. An Error when the folder cannot be written or holds a campaign with other options, or no process can be
// started; what `progress` was told of is kept.
//
// A case that makes haruspex itself fail is counted as harness_failure, with its index, and the others go on.
[[nodiscard]] Result<Summary> run(const Options& options, compiler::Compiler& compiler, const std::atomic<bool>& stop,
                                  const std::function<void(const Progress&)>& progress);

// Half of the cases have at most so many directives.
std::uint64_t median_directives(const Summary& summary);

// {"campaign": what was asked, of which versions, "results": what came out, the same for any number of jobs, "timing"}.
std::string to_json(const Summary& summary);
// The table printed at the end.
std::string to_table(const Summary& summary);

}  // namespace haruspex::campaign
