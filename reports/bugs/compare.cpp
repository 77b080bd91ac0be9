#include "reports/bugs/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "reports/render/table.h"

namespace haruspex::bugs {
namespace {

// "fails: wrong_lowering", "fixed"
std::string state_in_short(const Rechecked* report) {
    if (report == nullptr) { return "-"; }
    std::string text(name(report->state));
    const bool shows = report->state == State::fails || report->state == State::differs;
    return shows ? text + ": " + report->now.substr(0, report->now.find(' ')) : text;
}

}  // namespace

std::vector<Compared> compare(const std::vector<Recheck>& rechecks) {
    std::map<std::string, std::vector<const Rechecked*>> by_name;
    for (std::size_t i = 0; i < rechecks.size(); ++i) {
        for (const Rechecked& report : rechecks[i].reports) {
            auto& under = by_name[report.name];
            under.resize(rechecks.size(), nullptr);
            under[i] = &report;
        }
    }
    std::vector<Compared> reports;
    for (auto& [name, under] : by_name) {
        const auto differs = [&](const Rechecked* report) {
            return state_in_short(report) != state_in_short(under.front());
        };
        const bool agrees = std::ranges::none_of(under, differs);
        reports.push_back({name, std::move(under), agrees});
    }
    return reports;
}

std::string table(const std::vector<Recheck>& rechecks, const std::vector<Compared>& reports) {
    render::Table table;
    for (const Recheck& one : rechecks) { table.header.push_back(one.compiler + " " + one.version); }
    for (const bool agreeing : {false, true}) {
        for (const Compared& report : reports) {
            if (report.agrees != agreeing) { continue; }
            std::vector<std::string> row;
            std::ranges::transform(report.under, std::back_inserter(row), state_in_short);
            row.push_back(report.name);
            table.rows.push_back(std::move(row));
        }
    }
    return fmt::format("{}{} of {} reports differ\n", to_text(table),
                       std::ranges::count(reports, false, &Compared::agrees), reports.size());
}

}  // namespace haruspex::bugs
