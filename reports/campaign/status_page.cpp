#include "reports/campaign/status_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "oracle/verdict/verdict.h"

namespace haruspex::campaign {
namespace {

constexpr std::size_t label_width = 11;

// "1,234,567"
std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) { text.insert(at - 3, ","); }
    return text;
}

std::string counted(std::uint64_t number, const std::string& singular, const std::string& plural) {
    return grouped(number) + " " + (number == 1 ? singular : plural);
}

std::string size_of(std::uint64_t bytes) {
    double size = static_cast<double>(bytes);
    std::size_t unit = 0;
    constexpr std::string_view units = "BKMGT";
    while (size >= 1000 && unit + 1 < units.size()) {
        size /= 1024;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.{}f} {}B", size, size < 10 ? 1 : 0, units[unit]);
}

std::string time_of(double seconds) { return clock(std::chrono::seconds(static_cast<std::int64_t>(seconds))); }

// " (79%)"; nothing of what is rare.
std::string share_of(std::uint64_t cases, std::uint64_t all) {
    const double percent = all == 0 ? 0 : 100.0 * static_cast<double>(cases) / static_cast<double>(all);
    return percent < 1 ? "" : fmt::format(" ({:.0f}%)", percent);
}

// Where a class stands: what agrees, then what was found, then the rest.
int rank_of(const std::string& name) {
    const auto cls = verdict::parse_class(name);
    if (cls == verdict::Class::agrees) { return 0; }
    return cls && (verdict::is_finding(*cls) || verdict::is_own_fault(*cls)) ? 1 : 2;
}

// Cuts the text to so many characters, and replaces control characters: a message of a compiler may hold any.
std::string fitted(std::string_view text, std::size_t width) {
    std::string line;
    std::size_t characters = 0;
    std::size_t before_last = 0;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) { ++end; }
        if (characters == width) {
            line.resize(before_last);
            return width == 0 ? std::string() : line + "~";
        }
        before_last = line.size();
        const auto first = static_cast<unsigned char>(text[at]);
        line += first < 0x20 || first == 0x7f ? std::string("?") : std::string(text.substr(at, end - at));
        ++characters;
        at = end;
    }
    return line;
}

std::string line(std::string_view label, const std::string& text) {
    return fmt::format("{:<{}}{}", label, label_width, text);
}

// Joins as many parts as fit the width, and says how many do not.
std::string joined(const std::vector<std::string>& parts, std::size_t width) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string rest = i + 1 < parts.size() ? fmt::format(", {} more", parts.size() - i - 1) : "";
        const std::string next = (i == 0 ? "" : ", ") + parts[i];
        if (i > 0 && text.size() + next.size() + rest.size() > width) {
            return text + fmt::format(", {} more", parts.size() - i);
        }
        text += next;
    }
    return text;
}

std::string state_of(const Status& status) {
    if (status.processes > 1) { return counted(status.processes, "process", "processes") + " at work"; }
    if (status.processes == 1) { return "at work"; }
    return status.is_complete ? "complete" : "stopped";
}

std::string time_line(const Status& status) {
    double longest = 0;
    for (const Live& live : status.at_work) { longest = std::max(longest, live.seconds); }
    std::string text = time_of(status.glance.seconds);
    if (status.processes > 0) {
        text = time_of(longest);
        if (status.glance.seconds > longest + 1) {
            text += ", " + time_of(status.glance.seconds) + " with earlier runs";
        }
        const auto left = seconds_left(status);
        text += left ? ", about " + time_of(*left) + " left" : ", no end set";
    }
    return line("time", text);
}

std::string cases_line(const Status& status) {
    const store::Glance& glance = status.glance;
    std::string text = grouped(glance.cases);
    if (status.asked) { text += " of " + grouped(*status.asked); }
    if (status.processes > 0) { text += fmt::format("; {:.1f}/s now", cases_per_second(status)); }
    const double overall = glance.seconds > 0 ? static_cast<double>(glance.cases) / glance.seconds : 0;
    return line("cases", text + fmt::format("{} {:.1f}/s overall", status.processes > 0 ? "," : ";", overall));
}

// ", 2 new in the last 1,000 cases, the newest 310 ago (0:49)"
std::string recent(const Status& status, std::uint64_t number, std::uint64_t cases_ago) {
    const double seconds = static_cast<double>(cases_ago) / cases_per_second(status);
    return fmt::format(", {} new in the last {}, the newest {} ago{}", grouped(number),
                       counted(status.glance.recent, "case", "cases"), grouped(cases_ago),
                       std::isfinite(seconds) ? " (" + time_of(seconds) + ")" : "");
}

std::string features_line(const Status& status) {
    const store::Glance& glance = status.glance;
    std::string text = grouped(glance.features) + " seen";
    if (glance.newest) {
        text += recent(status, glance.new_features, glance.newest->cases_ago) + ": " + glance.newest->feature;
    }
    return line("features", text);
}

std::string findings_line(const Status& status) {
    const store::Glance& glance = status.glance;
    if (!glance.newest_group_ago) { return line("findings", "none yet"); }
    std::uint64_t cases = 0;
    for (const auto& [group, its_cases] : glance.groups) { cases += its_cases; }
    return line("findings", fmt::format("{} in {}{}", grouped(cases), counted(glance.groups.size(), "group", "groups"),
                                        recent(status, glance.new_groups, *glance.newest_group_ago)));
}

std::string bugs_line(const Status& status) {
    std::string text = counted(status.bugs.size(), "distinct bug", "distinct bugs");
    if (status.bugs.size() > 1) { text += ", smallest first"; }
    if (!status.known.empty()) { text += fmt::format("; {} known besides", status.known.size()); }
    if (status.untriaged_groups > 0) {
        text += fmt::format("; {} to be triaged ({})", counted(status.untriaged_groups, "group", "groups"),
                            counted(status.untriaged_cases, "case", "cases"));
    }
    return line("bugs", text);
}

std::string classes_line(const Status& status, std::size_t width) {
    std::vector<std::pair<std::string, std::uint64_t>> classes(status.glance.by_class.begin(),
                                                               status.glance.by_class.end());
    std::ranges::stable_sort(classes, std::ranges::greater{}, &std::pair<std::string, std::uint64_t>::second);
    std::ranges::stable_sort(classes, {}, [](const auto& one) { return rank_of(one.first); });
    std::vector<std::string> parts;
    for (const auto& [name, cases] : classes) {
        parts.push_back(name + " " + grouped(cases) + share_of(cases, status.glance.cases));
    }
    return line("classes", parts.empty() ? "none yet" : joined(parts, width - label_width));
}

std::string undecided_line(const Status& status, std::size_t width) {
    std::vector<std::string> parts;
    for (const auto& [why, cases] : status.undecided) { parts.push_back(grouped(cases) + " " + fitted(why, 40)); }
    return line("undecided", parts.empty() ? "none" : joined(parts, width - label_width));
}

std::string workers_line(const Status& status) {
    int jobs = 0, at_work = 0;
    double longest = 0;
    std::uint64_t deaths = 0, set_aside = 0;
    for (const Live& live : status.at_work) {
        jobs += live.jobs;
        at_work += live.at_work;
        longest = std::max(longest, live.longest);
        deaths += live.deaths;
        set_aside += live.set_aside;
    }
    std::string text = status.processes == 0 ? "none" : fmt::format("{} of {} at work", at_work, jobs);
    if (at_work > 0) { text += ", longest for " + time_of(longest); }
    if (deaths > 0) { text += fmt::format(", {} died and {} replaced", deaths, deaths == 1 ? "was" : "were"); }
    if (set_aside > 0) { text += ", " + counted(set_aside, "case", "cases") + " set aside"; }
    if (const store::Glance& glance = status.glance; glance.slow_cases > 0) {
        text += fmt::format("; {} took {} beyond the limit", counted(glance.slow_cases, "slow case", "slow cases"),
                            time_of(glance.slow_seconds));
    }
    return line("workers", text);
}

std::string disk_line(const Status& status) {
    const store::Glance& glance = status.glance;
    std::string text = "findings " + size_of(glance.filed_bytes);
    if (status.disk_quota) { text += " of " + size_of(*status.disk_quota); }
    if (glance.not_filed > 0) { text += ", " + grouped(glance.not_filed) + " not filed"; }
    text += ", database " + size_of(glance.database_bytes);
    if (status.free_bytes) { text += "; free " + size_of(*status.free_bytes); }
    return line("disk", text);
}

// Number, size, cases and title of each bug that there is room for.
std::vector<std::string> bug_lines(const std::vector<store::ListedBug>& bugs, std::size_t room) {
    std::vector<std::string> lines;
    const std::size_t shown = bugs.size() <= room ? bugs.size() : std::max<std::size_t>(room, 1) - 1;
    for (std::size_t i = 0; i < shown; ++i) {
        const store::ListedBug& bug = bugs[i];
        const std::string regressed = bug.state == "regressed" ? "regressed (" + bug.known + "): " : "";
        lines.push_back(fmt::format("  {:>3}  {}, {}: {}{}", i + 1, bug.size, counted(bug.cases, "case", "cases"),
                                    regressed, bug.title));
    }
    if (shown < bugs.size()) { lines.push_back(fmt::format("       {} more", bugs.size() - shown)); }
    return lines;
}

}  // namespace

std::string clock(std::chrono::seconds time) {
    const auto seconds = time.count();
    if (seconds < 3600) { return fmt::format("{}:{:02}", seconds / 60, seconds % 60); }
    return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::vector<std::string> page_of(const Status& status, std::size_t width, std::size_t height) {
    const std::size_t room = std::max<std::size_t>(width, label_width + 1);
    std::vector<std::string> above{fmt::format("haruspex: {}, {}, folder {}: {}", status.compiler, status.cases_of,
                                               status.folder.string(), state_of(status)),
                                   time_line(status),
                                   cases_line(status),
                                   features_line(status),
                                   findings_line(status),
                                   bugs_line(status)};
    const std::vector<std::string> below{classes_line(status, room), undecided_line(status, room), workers_line(status),
                                         disk_line(status)};
    const std::size_t taken = above.size() + below.size();
    std::vector<std::string> lines = std::move(above);
    const std::size_t left = height > taken ? height - taken : 0;
    for (std::string& bug : bug_lines(status.bugs, left)) { lines.push_back(std::move(bug)); }
    lines.insert(lines.end(), below.begin(), below.end());
    if (lines.size() > height) { lines.resize(height); }
    for (std::string& one : lines) { one = fitted(one, width); }
    return lines;
}

}  // namespace haruspex::campaign
