#include "reports/bugs/report_folders.h"

#include <algorithm>
#include <optional>

namespace haruspex::bugs {
namespace {

namespace fs = std::filesystem;

Place place_of(const fs::path& path) {
    return std::ranges::find(path, fs::path("fixed")) == path.end() ? Place::open : Place::fixed;
}

std::optional<ReportFolder> report_at(const fs::path& path, const fs::path& top) {
    std::error_code error;
    const bool has_case = fs::is_regular_file(path / "case.json", error);
    if (!has_case && !fs::is_regular_file(path / "repro.cpp", error)) { return std::nullopt; }
    const fs::path place = fs::weakly_canonical(path, error);
    const std::string relative = path.lexically_relative(top).string();
    return ReportFolder{path, relative == "." ? place.filename().string() : relative, place_of(place), has_case};
}

}  // namespace

std::string_view name(Place place) { return place == Place::open ? "open" : "fixed"; }

Result<std::vector<ReportFolder>> report_folders(const fs::path& folder) {
    std::vector<ReportFolder> reports;
    // "regress/" and "regress" are the same folder.
    const fs::path top = folder.has_filename() ? folder : folder.parent_path();
    if (auto report = report_at(top, top)) { reports.push_back(std::move(*report)); }
    std::error_code error;
    for (fs::recursive_directory_iterator at(top, error), end; !error && at != end; at.increment(error)) {
        if (!at->is_directory()) { continue; }
        if (auto report = report_at(at->path(), top)) { reports.push_back(std::move(*report)); }
    }
    if (error) { return fail("cannot read " + folder.string() + ": " + error.message()); }
    if (reports.empty()) {
        return fail("no report in " + folder.string() + "; expected folders with a case.json or a repro.cpp");
    }
    std::ranges::sort(reports, {}, &ReportFolder::name);
    return reports;
}

}  // namespace haruspex::bugs
