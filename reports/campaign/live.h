#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"

// What a process at work in a campaign's folder says of itself, for those who look at the campaign. It stands in a file
// of its own, DIR/campaign.RUN.live, which is replaced every second and means nothing when that process has ended:
// nothing of the campaign depends on it.
namespace haruspex::campaign {

struct Live {
    std::int64_t process = 0;
    double seconds = 0;           // since it began
    std::uint64_t cases = 0;      // done by it
    double cases_per_second = 0;  // over the last half minute
    std::optional<double> left;   // seconds to the end; absent if unlimited
    int jobs = 0;                 // worker processes that it may have
    int at_work = 0;              // that have a case now
    double longest = 0;           // seconds since the one of them began that began first
    std::uint64_t deaths = 0;     // workers that died so far
    std::uint64_t set_aside = 0;  // cases of which two workers died
    bool operator==(const Live&) const = default;
};

std::string to_json(const Live& live);
[[nodiscard]] Result<Live> parse_live(const std::string& text);

// The file of a run.
std::filesystem::path live_file(const std::filesystem::path& folder, std::int64_t run);
// Writes the file, or does nothing: a disk that is full is found out by those who write what counts.
void write_live(const std::filesystem::path& file, const Live& live);
// Removes the files of other runs than these, which have ended.
void remove_stale_live_files(const std::filesystem::path& folder, const std::vector<std::int64_t>& at_work);
// nullopt if the run says nothing, or nothing that can be read.
std::optional<Live> read_live(const std::filesystem::path& file);

}  // namespace haruspex::campaign
