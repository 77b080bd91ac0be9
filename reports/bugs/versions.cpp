#include "reports/bugs/versions.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include "generators/base/ensure.h"

namespace haruspex::bugs {
namespace {

std::vector<std::uint64_t> numbers(std::string_view version) {
    std::vector<std::uint64_t> parts;
    const char* const end = version.data() + version.size();
    for (const char* at = version.data(); at < end;) {
        std::uint64_t part = 0;
        const auto [rest, error] = std::from_chars(at, end, part);
        if (error != std::errc()) { break; }
        parts.push_back(part);
        at = rest == end ? end : rest + 1;
    }
    return parts;
}

template <typename Condition>
std::vector<std::string> versions_with(const std::vector<AtVersion>& rows, Condition condition) {
    std::vector<std::string> versions;
    for (const AtVersion& row : rows) {
        if (condition(row)) { versions.push_back(row.version); }
    }
    return versions;
}

std::string listed_in_short(std::vector<std::string> versions) {
    for (std::string& version : versions) { version = in_short(version); }
    return listed(versions);
}

}  // namespace

std::string_view name(Presence presence) {
    constexpr std::array<std::string_view, presence_count> names{"shows", "differs", "gone", "refused", "not_run"};
    return names.at(static_cast<std::size_t>(presence));
}

bool lives(const AtVersion& row) {
    switch (row.presence) {
        case Presence::shows: return true;
        case Presence::differs: return row.program_fails.value_or(true);
        case Presence::gone:
        case Presence::refused:
        case Presence::not_run: return row.program_fails.value_or(false);
    }
    raise_internal_error(__FILE__, __LINE__, "no such presence of a bug");
}

bool is_decided(const AtVersion& row) {
    const bool is_judged = row.presence != Presence::refused && row.presence != Presence::not_run;
    return is_judged || row.program_fails.has_value();
}

void put(std::vector<AtVersion>& rows, AtVersion row) {
    const auto at =
        std::ranges::find_if_not(rows, [&](const AtVersion& other) { return is_older(other.version, row.version); });
    if (at == rows.end() || is_older(row.version, at->version)) {
        rows.insert(at, std::move(row));
        return;
    }
    if (row.presence == Presence::not_run) {
        row.presence = at->presence;
        row.symptom = std::move(at->symptom);
    }
    if (!row.program_fails) { row.program_fails = at->program_fails; }
    *at = std::move(row);
}

Span span(const std::vector<AtVersion>& rows) {
    Span result;
    const auto first = std::ranges::find_if(rows, lives);
    if (first == rows.end()) { return result; }
    auto last = first;
    for (auto at = first; at != rows.end(); ++at) {
        if (lives(*at)) { last = at; }
    }
    result.first_bad = first->version;
    result.last_bad = last->version;
    for (auto at = first; at != last; ++at) {
        if (!is_decided(*at)) {
            result.unknown.push_back(at->version);
        } else if (!lives(*at)) {
            result.absent.push_back(at->version);
        }
    }
    const auto mended = std::find_if(last + 1, rows.end(), is_decided);
    if (mended != rows.end()) { result.mended_in = mended->version; }
    return result;
}

std::string in_short(std::string_view version) {
    while (version.ends_with(".0")) { version.remove_suffix(2); }
    return std::string(version);
}

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) { text += i + 1 == words.size() ? " and " : ", "; }
        text += words[i];
    }
    return text;
}

std::string bad_versions(const std::vector<AtVersion>& rows) { return listed_in_short(versions_with(rows, lives)); }

std::string describe(const std::vector<AtVersion>& rows) {
    const std::string bad = bad_versions(rows);
    if (bad.empty()) {
        const auto good = versions_with(rows, is_decided);
        return good.empty() ? "" : "not seen in " + listed_in_short(good);
    }
    const Span where = span(rows);
    std::string text = "lives in " + bad;
    if (!where.absent.empty()) { text += ", not in " + listed_in_short(where.absent); }
    if (!where.unknown.empty()) { text += ", unknown in " + listed_in_short(where.unknown); }
    if (where.mended_in) { text += ", mended in " + in_short(*where.mended_in); }
    return text;
}

std::vector<std::string> decided_versions(const std::vector<std::vector<AtVersion>>& bugs) {
    std::vector<std::string> versions;
    for (const auto& rows : bugs) {
        for (std::string& version : versions_with(rows, is_decided)) { versions.push_back(std::move(version)); }
    }
    // Versions that count as equally old may have different texts.
    std::ranges::sort(versions);
    versions.erase(std::unique(versions.begin(), versions.end()), versions.end());
    std::ranges::stable_sort(versions, is_older);
    return versions;
}

Count count_of(const std::vector<std::vector<AtVersion>>& bugs) {
    const auto is_untried = [](const auto& rows) { return std::ranges::none_of(rows, is_decided); };
    Count count{bugs.size(), {}, static_cast<std::size_t>(std::ranges::count_if(bugs, is_untried))};
    for (const std::string& version : decided_versions(bugs)) {
        InVersion in{version, 0, 0};
        for (const auto& rows : bugs) {
            const auto is_any = [&](auto condition) {
                return std::ranges::any_of(
                    rows, [&](const AtVersion& row) { return row.version == version && condition(row); });
            };
            if (is_any(lives)) { ++in.living; }
            if (!is_any(is_decided) && !is_untried(rows)) { ++in.unknown; }
        }
        count.versions.push_back(std::move(in));
    }
    return count;
}

std::string to_string(const Count& count, std::string_view of) {
    std::vector<std::string> parts;
    for (const InVersion& in : count.versions) {
        const std::string verb = !parts.empty() ? "" : in.living == 1 ? "lives " : "live ";
        const std::string unknown = in.unknown == 0 ? "" : fmt::format(" ({} not known)", in.unknown);
        parts.push_back(fmt::format("{} {}in {}{}", in.living, verb, in_short(in.version), unknown));
    }
    return fmt::format("{} {}{}{}{}{}", count.bugs, count.bugs == 1 ? "bug" : "bugs", of, parts.empty() ? "" : ": ",
                       listed(parts), count.untried == 0 ? "" : fmt::format("; versions not known: {}", count.untried));
}

bool is_older(std::string_view version, std::string_view than) { return numbers(version) < numbers(than); }

}  // namespace haruspex::bugs
