#include "reports/campaign/status.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "reports/campaign/proofs.h"
#include "reports/campaign/settings.h"

namespace haruspex::campaign {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A feature is new if the cases before the last so many did not have it.
constexpr std::uint64_t recent_cases = 1000;

bool is_undecided(Proof result) {
    return result == Proof::undecided || result == Proof::unsupported || result == Proof::time_limit ||
           result == Proof::not_asked;
}

Result<void> add_undecided(const store::Database& database, Status& status) {
    const store::Glance& glance = status.glance;
    for (const verdict::Class cls : {verdict::Class::not_compared, verdict::Class::too_large,
                                     verdict::Class::outside_context, verdict::Class::bad_case}) {
        const std::string name(verdict::name(cls));
        if (const auto at = glance.by_class.find(name); at != glance.by_class.end()) {
            status.undecided.emplace_back(name, at->second);
        }
    }
    for (const auto& [reason, cases] : glance.rejections) {
        status.undecided.emplace_back("rejected: " + reason, cases);
    }
    if (status.validates) {
        const auto rows = database.counts_with(row_feature);
        if (!rows) { return fail(rows.error()); }
        for (const auto& [feature, cases] : *rows) {
            const auto row = parse_row(std::string_view(feature).substr(row_feature.size()));
            if (row && is_undecided(row->result)) {
                status.undecided.emplace_back("validator: " + to_string(*row), cases);
            }
        }
    }
    std::ranges::stable_sort(status.undecided, std::ranges::greater{}, &std::pair<std::string, std::uint64_t>::second);
    return {};
}

// Sorts the bugs of the last triage, and counts the groups that it did not examine or that came later.
void add_bugs(store::BugList list, Status& status) {
    for (store::ListedBug& bug : list.bugs) {
        if (bug.state == "new") {
            // The budget did not reach it, or haruspex failed on it.
            status.untriaged_groups += bug.groups;
            status.untriaged_cases += bug.cases;
        } else if (bug.is_reported) {
            status.bugs.push_back(std::move(bug));
        } else if (!bug.known.empty()) {
            status.known.push_back(std::move(bug));
        }
    }
    for (const auto& [group, cases] : status.glance.groups) {
        if (list.groups.contains(group)) { continue; }
        ++status.untriaged_groups;
        status.untriaged_cases += cases;
    }
}

Json to_tree(const std::vector<store::ListedBug>& bugs) {
    Json tree = Json::array();
    for (const store::ListedBug& bug : bugs) {
        tree.push_back({{"state", bug.state},
                        {"title", bug.title},
                        {"size", bug.size},
                        {"group", bug.group},
                        {"known", bug.known.empty() ? Json(nullptr) : Json(bug.known)},
                        {"groups", bug.groups},
                        {"cases", bug.cases}});
    }
    return tree;
}

template <typename Value>
Json or_null(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

}  // namespace

double cases_per_second(const Status& status) {
    double sum = 0;
    for (const Live& live : status.at_work) { sum += live.cases_per_second; }
    return sum;
}

std::optional<double> seconds_left(const Status& status) {
    std::optional<double> longest;
    for (const Live& live : status.at_work) {
        if (!live.left) { return std::nullopt; }
        longest = std::max(longest.value_or(0), *live.left);
    }
    return longest;
}

Result<Status> status_of(const fs::path& folder, const store::Database& database) {
    const auto settings = database.settings();
    if (!settings) { return fail(settings.error()); }
    const auto stored = options_of(*settings, folder);
    if (!stored) { return fail(stored.error()); }
    const Options& options = *stored;
    Status status;
    status.folder = folder;
    status.compiler = compiler_text(*settings);
    status.cases_of = source_of_cases(options);
    status.validates = options.validate;
    status.asked = options.cases;
    status.disk_quota = options.disk_quota;
    auto glance = database.glance(recent_cases);
    if (!glance) { return fail(glance.error()); }
    status.glance = std::move(*glance);
    if (options.cases) {
        const auto is_done = database.is_done(options.first + *options.cases);
        if (!is_done) { return fail(is_done.error()); }
        status.is_complete = *is_done;
    }
    const auto runs = database.runs_at_work();
    if (!runs) { return fail(runs.error()); }
    status.processes = runs->size();
    for (const std::int64_t run : *runs) {
        if (auto live = read_live(live_file(folder, run))) { status.at_work.push_back(std::move(*live)); }
    }
    if (auto added = add_undecided(database, status); !added) { return fail(added.error()); }
    auto bugs = store::read_bug_list(folder);
    if (!bugs) { return fail(bugs.error()); }
    add_bugs(bugs->value_or(store::BugList{}), status);
    std::error_code error;
    if (const fs::space_info space = fs::space(folder, error); !error) { status.free_bytes = space.available; }
    return status;
}

Result<Status> read_status(const fs::path& folder) {
    const auto opened = open_to_read(folder);
    if (!opened) { return fail(opened.error()); }
    return status_of(folder, opened->database);
}

std::string to_json(const Status& status) {
    const store::Glance& glance = status.glance;
    Json undecided = Json::array();
    for (const auto& [why, cases] : status.undecided) { undecided.push_back({{"why", why}, {"cases", cases}}); }
    Json processes = Json::array();
    for (const Live& live : status.at_work) { processes.push_back(Json::parse(to_json(live))); }
    const double overall = glance.seconds > 0 ? static_cast<double>(glance.cases) / glance.seconds : 0;
    const Json newest = glance.newest
                            ? Json{{"feature", glance.newest->feature}, {"cases_ago", glance.newest->cases_ago}}
                            : Json(nullptr);
    const Json json{
        {"haruspex_status", 1},
        {"folder", status.folder.string()},
        {"compiler", status.compiler},
        {"cases_of", status.cases_of},
        {"running", status.processes > 0},
        {"complete", status.is_complete},
        {"cases", glance.cases},
        {"asked", or_null(status.asked)},
        {"bugs", to_tree(status.bugs)},
        {"known", to_tree(status.known)},
        {"not_triaged", {{"groups", status.untriaged_groups}, {"cases", status.untriaged_cases}}},
        {"by_class", glance.by_class},
        {"undecided", std::move(undecided)},
        {"groups",
         {{"seen", glance.groups.size()},
          {"new", glance.new_groups},
          {"in_last", glance.recent},
          {"newest_cases_ago", or_null(glance.newest_group_ago)}}},
        {"features",
         {{"seen", glance.features}, {"new", glance.new_features}, {"in_last", glance.recent}, {"newest", newest}}},
        {"times",
         {{"seconds", glance.seconds},
          {"cases_per_second", overall},
          {"cases_per_second_now", cases_per_second(status)},
          {"seconds_left", or_null(seconds_left(status))},
          {"slow", {{"cases", glance.slow_cases}, {"seconds", glance.slow_seconds}}}}},
        {"processes", std::move(processes)},
        {"disk",
         {{"findings", glance.filed_bytes},
          {"quota", or_null(status.disk_quota)},
          {"not_filed", glance.not_filed},
          {"database", glance.database_bytes},
          {"free", or_null(status.free_bytes)}}},
    };
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace haruspex::campaign
