#include "reports/campaign/merge.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "generators/base/ensure.h"
#include "reports/campaign/collector.h"
#include "reports/campaign/settings.h"
#include "reports/store/files.h"
#include "reports/store/join.h"

namespace haruspex::campaign {
namespace {

namespace fs = std::filesystem;
using Values = std::map<std::string, std::string>;

// Which cases a campaign does, and not how it judges them.
constexpr std::array<std::string_view, 3> of_extent{"first case", "shard", "cases of all shards"};
constexpr const char* digest_setting = "cases from a file of digest";

struct Part {
    fs::path folder;
    store::Settings settings;
    Options options;
    std::uint64_t next = 0;
};

std::string value_of(const Values& values, const std::string& name) {
    const auto at = values.find(name);
    return at == values.end() ? "none" : at->second;
}

// Returns "seed: it has 8, OTHER 7" for the first fixed setting in which the two differ.
std::optional<std::string> difference(const Values& mine, const Values& others, const std::string& other) {
    std::set<std::string> names;
    for (const Values* values : {&mine, &others}) {
        for (const auto& [name, value] : *values) { names.insert(name); }
    }
    for (const std::string& name : names) {
        if (std::ranges::find(of_extent, name) != of_extent.end()) { continue; }
        const std::string here = value_of(mine, name), there = value_of(others, name);
        if (here != there) { return name + ": it has " + here + ", " + other + " has " + there; }
    }
    return std::nullopt;
}

Result<Part> read_part(const fs::path& folder) {
    const auto next = store::next_of(folder);
    if (!next) { return fail(next.error()); }
    auto settings = store::Database::settings(folder);
    if (!settings) { return fail(settings.error()); }
    auto options = stored_options(folder);
    if (!options) { return fail(options.error()); }
    // A campaign that was killed before it began.
    if (!*options) { return fail("no campaign in " + folder.string() + "; expected a folder of haruspex fuzz"); }
    return Part{folder, std::move(**settings), std::move(**options), *next};
}

// The parts in the order of their cases.
Result<std::vector<Part>> read_parts(const std::vector<fs::path>& folders, const compiler::Identity& compiler) {
    std::vector<Part> parts;
    std::set<fs::path> seen;
    for (const fs::path& folder : folders) {
        std::error_code error;
        if (!seen.insert(fs::weakly_canonical(folder, error)).second) {
            return fail(folder.string() + " is given twice; expected each folder once");
        }
        auto part = read_part(folder);
        if (!part) { return fail(part.error()); }
        const Part& first = parts.empty() ? *part : parts.front();
        const auto other = difference(part->settings.fixed, first.settings.fixed, first.folder.string());
        if (other) {
            return fail(folder.string() + " holds a campaign with another " + *other +
                        "; expected campaigns of one version and one set of options");
        }
        parts.push_back(std::move(*part));
    }
    ENSURE(!parts.empty(), "there is something to merge");
    const Part& first = parts.front();
    const auto installed = settings_of(first.options, compiler, value_of(first.settings.fixed, digest_setting));
    if (const auto other = difference(first.settings.fixed, installed.fixed, "this haruspex")) {
        return fail(first.folder.string() + " holds a campaign with another " + *other +
                    "; expected campaigns of this version");
    }
    std::ranges::stable_sort(parts, {}, [](const Part& part) { return part_of(part.options).first; });
    return parts;
}

// The options of one campaign that has the cases of all parts.
Options options_of(const std::vector<Part>& parts) {
    Options options = parts.front().options;
    options.shard.reset();
    options.stop_when_quiet.reset();
    const bool is_limited = std::ranges::all_of(parts, [](const Part& part) { return part.options.cases.has_value(); });
    std::uint64_t past = 0;
    for (const Part& part : parts) {
        const Options& its = part.options;
        options.first = std::min(options.first, its.first);
        options.list_cases |= its.list_cases;
        if (its.disk_quota != options.disk_quota) { options.disk_quota.reset(); }
        const std::uint64_t cases = std::min(its.cases.value_or(0), store::largest_index - its.first);
        // A campaign may have done more cases than were asked for last.
        past = std::max(past, std::max(its.first + cases, part.next));
    }
    options.cases.reset();
    if (is_limited) { options.cases = past - options.first; }
    return options;
}

store::Settings settings_of_merged(const Part& part, const Options& options, const compiler::Identity& compiler) {
    store::Settings settings = settings_of(options, compiler);
    settings.fixed = part.settings.fixed;
    for (const std::string_view name : of_extent) { settings.fixed.erase(std::string(name)); }
    settings.fixed["first case"] = std::to_string(options.first);
    return settings;
}

Result<Summary> write(const std::vector<Part>& parts, const Options& options, const compiler::Identity& compiler) {
    auto store = store::Store::open(options.out);
    if (!store) { return fail(store.error()); }
    const store::Settings settings = settings_of_merged(parts.front(), options, compiler);
    std::vector<fs::path> folders;
    for (const Part& part : parts) { folders.push_back(part.folder); }
    if (auto joined = store::join(folders, options.out, settings, options.first); !joined) {
        return fail(joined.error());
    }
    auto database = store::Database::open(options.out, settings, options.first);
    if (!database) { return fail(database.error()); }
    const auto digest = settings.fixed.find(digest_setting);
    Collector collector(options, digest == settings.fixed.end() ? std::string() : digest->second, compiler,
                        std::move(*store), *database);
    if (auto begun = collector.begin(); !begun) { return fail(begun.error()); }
    const auto is_done = database->is_done(options.first + options.cases.value_or(0));
    if (!is_done) { return fail(is_done.error()); }
    return collector.finish(0, !(options.cases && *is_done));
}

}  // namespace

Result<Summary> merge(const std::vector<fs::path>& folders, const fs::path& asked, const compiler::Identity& compiler) {
    // "out/" and "out" name the same folder.
    const fs::path out = asked.has_filename() ? asked : asked.parent_path();
    std::error_code error;
    if (fs::exists(out, error)) { return fail(asked.string() + " exists already; expected a name that is free"); }
    const auto parts = read_parts(folders, compiler);
    if (!parts) { return fail(parts.error()); }
    Options options = options_of(*parts);
    if (out.has_parent_path()) {
        if (auto made = store::make_folder(out.parent_path()); !made) { return fail(made.error()); }
    }
    store::remove_leftovers_of(out);
    options.out = store::temporary_name(out);
    auto summary = write(*parts, options, compiler);
    if (summary) {
        if (auto published = store::publish(options.out, out); !published) { summary = fail(published.error()); }
    }
    if (!summary) {
        fs::remove_all(options.out, error);
        return summary;
    }
    summary->options.out = out;
    return summary;
}

}  // namespace haruspex::campaign
