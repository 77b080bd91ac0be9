#include "reports/bugs/compare.h"

#include <algorithm>
#include <map>

namespace haruspex::bugs {
namespace {

// "fails: wrong_lowering", "fixed"
std::string in_short(const Rechecked* report) {
    if (report == nullptr) { return "-"; }
    std::string text(name(report->state));
    const bool shows = report->state == State::fails || report->state == State::differs;
    return shows ? text + ": " + report->now.substr(0, report->now.find(' ')) : text;
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text + "  ";
}

std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
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
        const auto differs = [&](const Rechecked* report) { return in_short(report) != in_short(under.front()); };
        const bool agrees = std::ranges::none_of(under, differs);
        reports.push_back({name, std::move(under), agrees});
    }
    return reports;
}

std::string table(const std::vector<Recheck>& rechecks, const std::vector<Compared>& reports) {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < rechecks.size(); ++i) {
        widths.push_back((rechecks[i].compiler + " " + rechecks[i].version).size());
        for (const Compared& report : reports) {
            widths.back() = std::max(widths.back(), in_short(report.under[i]).size());
        }
    }
    std::string text;
    for (std::size_t i = 0; i < rechecks.size(); ++i) {
        text += padded(rechecks[i].compiler + " " + rechecks[i].version, widths[i]);
    }
    text = trimmed(text);
    std::size_t differing = 0;
    for (const bool agreeing : {false, true}) {
        for (const Compared& report : reports) {
            if (report.agrees != agreeing) { continue; }
            if (!agreeing) { ++differing; }
            std::string line;
            for (std::size_t i = 0; i < rechecks.size(); ++i) { line += padded(in_short(report.under[i]), widths[i]); }
            text += trimmed(line + report.name);
        }
    }
    return text + std::to_string(differing) + " of " + std::to_string(reports.size()) + " reports differ\n";
}

}  // namespace haruspex::bugs
