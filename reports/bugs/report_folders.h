#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"

// A folder of reports, such as corpus/regress.
namespace haruspex::bugs {

// What the place of a report says of its bug.
enum class Place : std::uint8_t {
    open,   // not mended: it must show
    fixed,  // below a folder of the name "fixed": it must not
};
inline constexpr int place_count = 2;
std::string_view name(Place place);  // "open", "fixed"

struct ReportFolder {
    std::filesystem::path path;
    std::string name;  // the path relative to the folder that was asked for, or its last part when it is that folder
    Place place = Place::open;
    bool has_case = false;  // otherwise repro.cpp alone describes the bug
};

// Every folder at or below this one with a case.json or a repro.cpp, by name. An Error when it cannot be read or there
// is none.
[[nodiscard]] Result<std::vector<ReportFolder>> report_folders(const std::filesystem::path& folder);

}  // namespace haruspex::bugs
