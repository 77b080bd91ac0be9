#include "reports/minimize/result_folder.h"

#include <utility>

#include "reports/store/store.h"
#include "reports/triage/signature.h"

namespace haruspex::minimize {
namespace {

namespace fs = std::filesystem;

std::string group(const Found& found) { return triage::group_name(triage::signature(found.c, found.verdict)); }

}  // namespace

ResultFolder::ResultFolder(fs::path folder, const Original& original, compiler::Identity compiler, Attach attach)
    // "out/" and "out" name the same folder.
    : folder_(folder.has_filename() ? std::move(folder) : folder.parent_path()),
      original_(original),
      compiler_(std::move(compiler)),
      attach_(std::move(attach)) {}

Result<void> ResultFolder::check_nothing_is_lost(const Shows& shows) const {
    const auto there = store::load_finding(folder_);
    if (!there) { return {}; }
    std::error_code error;
    const bool is_original = fs::equivalent(folder_, original_.path, error);
    const bool is_of_case = there->seed == original_.seed && there->index == original_.index;
    const auto shows_same = [&] {
        const auto symptom = triage::symptom(there->c, there->verdict);
        const auto sought = triage::symptom(original_.c, *original_.verdict);
        return symptom && sought && shows(*symptom, *sought);
    };
    if (!is_original && is_of_case && (!original_.verdict || shows_same())) { return {}; }
    return fail(folder_.string() + " holds a finding that would be lost");
}

Result<void> ResultFolder::write_better(const Found& found, bool goes_on, const Shows& shows) const {
    const auto there = store::load_finding(folder_);
    if (there && size_of(there->c) < size_of(found.c)) {
        const auto symptom = triage::symptom(there->c, there->verdict);
        if (goes_on || (symptom && shows(*symptom, found.symptom))) { return {}; }
    }
    return write(found, folder_);
}

Result<void> ResultFolder::write_others(const std::vector<Found>& found) const {
    for (const Found& other : found) {
        if (auto written = write(other, others() / group(other)); !written) { return written; }
    }
    return {};
}

Result<void> ResultFolder::write(const Found& found, const fs::path& folder) const {
    store::Finding finding{original_.seed, original_.index, found.c, found.verdict, compiler_, group(found)};
    finding.attachments = attach_(found);
    finding.seeded = false;
    return store::write_finding(finding, folder);
}

}  // namespace haruspex::minimize
