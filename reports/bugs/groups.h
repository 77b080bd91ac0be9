#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/store/store.h"

namespace haruspex::bugs {

// Findings that look alike before they are minimised (reports/triage/signature.h), and the smallest of them.
struct Group {
    std::string name;
    std::uint64_t cases = 0;
    store::Finding smallest;
};

// Returns the groups of findings in a campaign's folder, sorted by name, and then the groups of faults of haruspex
// itself. An Error if a file cannot be read, or if a case with a symptom has a SARE that was not made from an algorithm
// (sare::unstage).
[[nodiscard]] Result<std::vector<Group>> groups_in(const std::filesystem::path& campaign);

}  // namespace haruspex::bugs
