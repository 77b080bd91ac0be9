#include "reports/bugs/groups.h"

#include <algorithm>

#include "generators/sare/staging.h"
#include "reports/minimize/size.h"
#include "reports/triage/symptom.h"

namespace haruspex::bugs {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> folders_in(const fs::path& folder) {
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; at != end && !error; at.increment(error)) {
        if (at->is_directory()) { folders.push_back(at->path()); }
    }
    if (error) { return fail("cannot read " + folder.string() + ": " + error.message()); }
    std::ranges::sort(folders);
    return folders;
}

// Adds the groups in a subfolder of a campaign's folder: "findings" or "faults".
Result<void> add_groups(const fs::path& collection, std::vector<Group>& groups) {
    const auto folders = folders_in(collection);
    if (!folders) { return fail(folders.error()); }
    for (const fs::path& folder : *folders) {
        const auto findings = folders_in(folder);
        if (!findings) { return fail(findings.error()); }
        Group group{folder.filename().string(), 0, {}};
        for (const fs::path& path : *findings) {
            auto finding = store::load_finding(path);
            if (!finding) { return fail(finding.error()); }
            if (triage::symptom(finding->c, finding->verdict) && !sare::unstage(finding->c.sare)) {
                return fail(path.string() + ": the program is not the image of an algorithm");
            }
            const bool is_smaller =
                group.cases == 0 || minimize::size_of(finding->c) < minimize::size_of(group.smallest.c);
            ++group.cases;
            if (is_smaller) { group.smallest = std::move(*finding); }
        }
        if (group.cases > 0) { groups.push_back(std::move(group)); }
    }
    return {};
}

}  // namespace

Result<std::vector<Group>> groups_in(const fs::path& campaign) {
    std::vector<Group> groups;
    std::error_code error;
    const bool has_faults = fs::exists(campaign / "faults", error);
    const bool has_findings = fs::exists(campaign / "findings", error);
    if (has_findings || (!has_faults && !store::is_campaign(campaign))) {
        if (auto added = add_groups(campaign / "findings", groups); !added) { return fail(added.error()); }
    }
    if (has_faults) {
        if (auto added = add_groups(campaign / "faults", groups); !added) { return fail(added.error()); }
    }
    return groups;
}

}  // namespace haruspex::bugs
