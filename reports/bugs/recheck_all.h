#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "reports/bugs/recheck.h"
#include "reports/bugs/report_folders.h"
#include "reports/store/store.h"

// Reports judged again with an installed compiler.
namespace haruspex::bugs {

// A report, and its finding if it has a case.
struct Report {
    ReportFolder folder;
    std::optional<store::Finding> finding;
};

// Loads all reports before any is judged, since judging takes minutes.
[[nodiscard]] Result<std::vector<Report>> load_reports(const std::vector<ReportFolder>& folders);

// Calls `judged` with each report that was judged.
Recheck recheck_all(const std::vector<Report>& reports, compiler::Compiler& compiler,
                    const std::function<void(const Rechecked&)>& judged);

}  // namespace haruspex::bugs
