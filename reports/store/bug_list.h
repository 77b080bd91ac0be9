#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"

// DIR/bugs.json: the distinct bugs among a campaign's findings, as the last triage of the folder left them
// (reports/bugs/triage.h). For those who look at the campaign without triaging it.
namespace haruspex::store {

struct ListedBug {
    std::string state;  // bugs::BugState
    bool is_reported = false;
    std::string title;  // of its smallest case
    std::string size;   // of that case, in words
    std::string group;
    std::string known;  // the name of the known bug, if it is one
    std::uint64_t groups = 0, cases = 0;
    bool operator==(const ListedBug&) const = default;
};

struct BugList {
    std::vector<ListedBug> bugs;                  // the most important state first, then the smallest case
    std::map<std::string, std::uint64_t> groups;  // the groups that were triaged, with their cases then
    bool operator==(const BugList&) const = default;
};

// The file appears complete.
[[nodiscard]] Result<void> write_bug_list(const BugList& list, const std::filesystem::path& campaign);
// nullopt if the campaign was not triaged. An Error if the file cannot be read or is not one that was written.
[[nodiscard]] Result<std::optional<BugList>> read_bug_list(const std::filesystem::path& campaign);

}  // namespace haruspex::store
