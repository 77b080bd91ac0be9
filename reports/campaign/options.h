#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "generators/random/policy.h"
#include "harness/compiler/compiler.h"
#include "oracle/smt/solvers.h"

namespace haruspex::campaign {

// One of `count` parts of a campaign, from 1. Parts differ by at most one case in length.
struct Shard {
    std::uint64_t number = 1, count = 1;
    bool operator==(const Shard&) const = default;
};
std::string to_string(const Shard& shard);  // "3/8"
// Reads what to_string writes, with 1 <= number <= count.
[[nodiscard]] Result<Shard> parse_shard(std::string_view text);

struct Options {
    std::uint64_t seed = 0;
    std::uint64_t first = 0;                   // index of the first case
    std::optional<std::uint64_t> cases;        // their number; absent: no limit
    std::optional<Shard> shard;                // do only this part of the cases; needs a limit
    std::optional<std::chrono::seconds> time;  // limit for this run
    // Ends the campaign when this many cases in a row, in the order of their indices, brought no new group.
    std::optional<std::uint64_t> stop_when_quiet;
    // Limit in bytes for the folders of findings and faults. A finding that does not fit is counted, not filed.
    std::optional<std::uint64_t> disk_quota;
    int jobs = 1;
    std::filesystem::path out;
    std::string compiler;  // the compiler's name, without its version
    compiler::Limits limits;
    // Limit on the processor time that haruspex itself takes for a case: a last resort for work that has no budget. A
    // case that exceeds it is done once more, with limits.patience times as much. If it exceeds that, too, it is a
    // harness_failure.
    std::chrono::seconds most_time_of_case{600};
    // The policy for programs, sizes and inputs; schedules are drawn by a policy of their own.
    random::Policy policy;
    // If set, takes the cases of this file (case_file.h) in their order instead of drawing cases. Then `first` is the
    // number of lines to skip, and at most the lines that are left are taken, whatever `cases` is.
    std::optional<std::filesystem::path> cases_from;
    bool native = true;     // run every case; otherwise only lowered programs are judged (oracle/judge/lowered.h)
    bool validate = false;  // also pass every lowered program to the validator
    // Its solvers. Of the queries that Z3 decides, cvc5 is asked a share.
    smt::Solvers solvers{.cross_check = 4};
    // The number of other sizes at which a program that is validated for all sizes is interpreted (pipeline::Options).
    std::uint64_t other_sizes = 0;
    bool prophecies = false;  // also lower every case with prophecies, and count how many could be transplanted
    bool list_cases = false;  // also write DIR/cases.jsonl: index, class, message of every case
};

// The options by which `haruspex generate` draws the same cases, besides seed and index; none for the default policy.
inline std::string drawing_options(const Options& options) {
    const random::ProgramKind kind = options.policy.programs;
    return kind == random::ProgramKind::affine ? std::string() : "--programs " + std::string(random::name(kind));
}

// Returns the options of a campaign that has the cases of the shard and no others; without a shard, the same options.
// Expects a limit of cases if there is a shard (ENSURE).
Options part_of(Options options);

}  // namespace haruspex::campaign
