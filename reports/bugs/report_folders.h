#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"

// A folder of reports, such as corpus/regress.
namespace haruspex::bugs {

// The status of a report's bug, as given by the path of the report's folder.
enum class Place : std::uint8_t {
    open,   // a bug that is not fixed: it must show
    fixed,  // below a folder named "fixed": the bug must not show
};
inline constexpr int place_count = 2;
std::string_view name(Place place);  // "open", "fixed"

struct ReportFolder {
    std::filesystem::path path;
    std::string name;  // the path relative to the searched folder; for the searched folder itself, its last part
    Place place = Place::open;
    bool has_case = false;  // otherwise repro.cpp alone describes the bug
};

// Returns the folders that have a case.json or a repro.cpp, among `folder` itself and all folders below it, sorted by
// name. An Error if `folder` cannot be read or no such folder is found.
[[nodiscard]] Result<std::vector<ReportFolder>> report_folders(const std::filesystem::path& folder);

}  // namespace haruspex::bugs
