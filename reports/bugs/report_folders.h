#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"

// A folder of reports, such as corpus/regress.
namespace haruspex::bugs {

// The status of a report's bug, as given by the folder of the report.
enum class Place : std::uint8_t {
    open,   // not fixed: it must show
    fixed,  // below a folder named "fixed": it must not show
};
inline constexpr int place_count = 2;
std::string_view name(Place place);  // "open", "fixed"

struct ReportFolder {
    std::filesystem::path path;
    std::string name;  // the path relative to the folder that was searched; its last part if it is that folder
    Place place = Place::open;
    bool has_case = false;  // otherwise repro.cpp alone describes the bug
};

// Returns every folder at or below this one that has a case.json or a repro.cpp, sorted by name. An Error if the folder
// cannot be read or has no report.
[[nodiscard]] Result<std::vector<ReportFolder>> report_folders(const std::filesystem::path& folder);

}  // namespace haruspex::bugs
