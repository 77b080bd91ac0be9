#include "reports/bugs/known_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "reports/bugs/upstream.h"
#include "reports/render/view.h"

namespace haruspex::bugs {
namespace {

// The row of a version in which it is known whether the bug lives there; null if there is none.
const AtVersion* decided_at(const Known& bug, const std::string& version) {
    const auto row = std::ranges::find(bug.versions, version, &AtVersion::version);
    return row != bug.versions.end() && is_decided(*row) ? &*row : nullptr;
}

std::string cell(const Known& bug, const std::string& version) {
    if (const AtVersion* const row = decided_at(bug, version)) { return lives(*row) ? "lives" : "gone"; }
    const auto row = std::ranges::find(bug.versions, version, &AtVersion::version);
    return row != bug.versions.end() && row->presence == Presence::refused ? "refused" : "";
}

render::Table table_of(const std::vector<Known>& known, bool has_links) {
    std::vector<std::vector<AtVersion>> rows_of_bugs;
    for (const Known& bug : known) { rows_of_bugs.push_back(bug.versions); }
    const auto versions = decided_versions(rows_of_bugs);
    render::Table table{"Known bugs", {"bug"}, {}, versions.size() + 2};
    for (const std::string& version : versions) { table.header.push_back(in_short(version)); }
    table.header.emplace_back("upstream");
    for (const Known& bug : known) {
        std::vector<std::string> row{has_links && !bug.report.empty() ? fmt::format("[{}]({})", bug.name, bug.report)
                                                                      : bug.name};
        if (!bug.same_as.empty()) { row.front() += fmt::format(" (same as {})", bug.same_as); }
        if (bug.status != Status::open) { row.front() += fmt::format(" ({})", name(bug.status)); }
        for (const std::string& version : versions) { row.push_back(cell(bug, version)); }
        const bool is_link = has_links && bug.upstream.look_up == LookUp::found;
        row.push_back(is_link ? "<" + bug.upstream.address + ">" : to_string(bug.upstream));
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::vector<CompilerCount> count_bugs(const std::vector<Known>& known) {
    std::map<std::string, std::vector<std::vector<AtVersion>>> by_compiler;
    for (const Known& bug : known) {
        if (bug.status != Status::documented && bug.same_as.empty()) {
            by_compiler[compiler_of(bug)].push_back(bug.versions);
        }
    }
    std::vector<CompilerCount> counts;
    for (const auto& [compiler, bugs] : by_compiler) { counts.push_back({compiler, count_of(bugs)}); }
    return counts;
}

std::string to_string(const CompilerCount& count) {
    // Only another executable may have the compiler.
    const auto view = std::ranges::find(render::registered(), count.compiler, &render::Registered::compiler);
    const bool is_here = view != render::registered().end();
    return to_string(count.count, fmt::format(" in {}", is_here ? view->view().title() : count.compiler));
}

render::Table table_of(const std::vector<Known>& known) { return table_of(known, false); }

std::string markdown(const std::vector<Known>& known) { return render::to_markdown(table_of(known, true)); }

}  // namespace haruspex::bugs
