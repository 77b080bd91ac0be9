#include "reports/bugs/known_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "reports/bugs/upstream.h"
#include "reports/bugs/versions.h"
#include "reports/render/view.h"

namespace haruspex::bugs {
namespace {

// The row of a version in which it is known whether the bug lives there; null if there is none.
const AtVersion* decided_at(const Known& bug, const std::string& version) {
    const auto row = std::ranges::find(bug.versions, version, &AtVersion::version);
    return row != bug.versions.end() && is_decided(*row) ? &*row : nullptr;
}

bool is_untried(const Known& bug) { return std::ranges::none_of(bug.versions, is_decided); }

// All versions in which something is known of one of the bugs, the oldest first.
std::vector<std::string> versions_of(const std::vector<Known>& known) {
    std::vector<std::string> versions;
    for (const Known& bug : known) {
        for (const AtVersion& row : bug.versions) {
            if (is_decided(row)) { versions.push_back(row.version); }
        }
    }
    // Versions that count as equally old may have different texts.
    std::ranges::sort(versions);
    versions.erase(std::unique(versions.begin(), versions.end()), versions.end());
    std::ranges::stable_sort(versions, is_older);
    return versions;
}

Count count_of(const std::string& compiler, const std::vector<Known>& known) {
    Count count{compiler, known.size(), {}, 0};
    count.untried = static_cast<std::size_t>(std::ranges::count_if(known, is_untried));
    for (const std::string& version : versions_of(known)) {
        InVersion in{version, 0, 0};
        for (const Known& bug : known) {
            const AtVersion* const row = decided_at(bug, version);
            if (row != nullptr && lives(*row)) { ++in.living; }
            if (row == nullptr && !is_untried(bug)) { ++in.unknown; }
        }
        count.versions.push_back(std::move(in));
    }
    return count;
}

std::string cell(const Known& bug, const std::string& version) {
    if (const AtVersion* const row = decided_at(bug, version)) { return lives(*row) ? "lives" : "gone"; }
    const auto row = std::ranges::find(bug.versions, version, &AtVersion::version);
    return row != bug.versions.end() && row->presence == Presence::refused ? "refused" : "";
}

render::Table table_of(const std::vector<Known>& known, bool has_links) {
    const auto versions = versions_of(known);
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

std::vector<Count> count_bugs(const std::vector<Known>& known) {
    std::map<std::string, std::vector<Known>> by_compiler;
    for (const Known& bug : known) {
        if (bug.status != Status::documented && bug.same_as.empty()) { by_compiler[compiler_of(bug)].push_back(bug); }
    }
    std::vector<Count> counts;
    for (const auto& [compiler, bugs] : by_compiler) { counts.push_back(count_of(compiler, bugs)); }
    return counts;
}

std::string to_string(const Count& count) {
    std::vector<std::string> parts;
    for (const InVersion& in : count.versions) {
        const std::string verb = !parts.empty() ? "" : in.living == 1 ? "lives " : "live ";
        const std::string unknown = in.unknown == 0 ? "" : fmt::format(" ({} not known)", in.unknown);
        parts.push_back(fmt::format("{} {}in {}{}", in.living, verb, in_short(in.version), unknown));
    }
    return fmt::format("{} {} in {}{}{}{}", count.bugs, count.bugs == 1 ? "bug" : "bugs",
                       render::view(count.compiler).title(), parts.empty() ? "" : ": ", listed(parts),
                       count.untried == 0 ? "" : fmt::format("; versions not known: {}", count.untried));
}

render::Table table_of(const std::vector<Known>& known) { return table_of(known, false); }

std::string markdown(const std::vector<Known>& known) { return render::to_markdown(table_of(known, true)); }

}  // namespace haruspex::bugs
