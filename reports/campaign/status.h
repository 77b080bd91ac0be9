#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/result.h"
#include "reports/campaign/live.h"
#include "reports/store/bug_list.h"
#include "reports/store/database.h"

// How a campaign stands: what its folder says at this moment, for the page that a campaign shows while it runs and for
// `haruspex status`. Nothing is stored of it, and nothing depends on it.
namespace haruspex::campaign {

struct Status {
    std::filesystem::path folder;
    std::string compiler;                // name and version
    std::string cases_of;                // "seed 7", or the file of cases
    bool validates = false;              // whether lowered programs are validated
    std::optional<std::uint64_t> asked;  // number of cases; absent if unlimited
    std::optional<std::uint64_t> disk_quota;
    bool is_complete = false;  // all cases that were asked for are done
    store::Glance glance;
    std::vector<Live> at_work;  // what each process at work says of itself
    std::size_t processes = 0;  // processes at work; more than at_work if one has not said anything yet
    // Cases without an answer: why, and how many, the most frequent first. A case is counted once with each of the two
    // oracles that does not decide it.
    std::vector<std::pair<std::string, std::uint64_t>> undecided;
    std::vector<store::ListedBug> bugs;  // that are distinct, smallest first
    std::vector<store::ListedBug> known;
    // Groups of findings that were not triaged yet, or that the triage did not reach: they may be bugs or not.
    std::uint64_t untriaged_groups = 0, untriaged_cases = 0;
    std::optional<std::uint64_t> free_bytes;  // of the disk
};

// The sums over the processes at work.
double cases_per_second(const Status& status);
// The longest of their estimates; absent if one has no limit, or there is none.
std::optional<double> seconds_left(const Status& status);

// Reads the status of the campaign of this database. Its folder is only read.
[[nodiscard]] Result<Status> status_of(const std::filesystem::path& folder, const store::Database& database);
// Opens the database to read it. An Error if the folder holds no campaign.
[[nodiscard]] Result<Status> read_status(const std::filesystem::path& folder);

// The status as JSON.
std::string to_json(const Status& status);

}  // namespace haruspex::campaign
