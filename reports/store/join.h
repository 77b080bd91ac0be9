#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "generators/base/result.h"
#include "reports/store/database.h"

// The folders of several campaigns as one: their cases with everything that is stored about them, and the folders of
// their findings.
namespace haruspex::store {

// Returns the first index that the campaign in this folder has not taken. An Error if a process works on the campaign,
// or if there is none.
[[nodiscard]] Result<std::uint64_t> next_of(const std::filesystem::path& folder);

// Copies the campaigns in `folders` into `out`, an empty folder that no other process uses and that is not complete
// before the call returns: campaign.sqlite, findings/ and faults/. The campaign begins with the case `first`; those that
// no folder has done, up to the last one that was taken, are left for the next run. Memory does not grow with the number
// of cases, time grows in proportion to it. An Error if two folders have a case in common, a process works on one of
// them, or the folder of a finding is not there.
[[nodiscard]] Result<void> join(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out,
                                const Settings& settings, std::uint64_t first);

// Moves `whole` to the free name `place`, when everything in it is on disk. An Error if something is there.
[[nodiscard]] Result<void> publish(const std::filesystem::path& whole, const std::filesystem::path& place);

}  // namespace haruspex::store
