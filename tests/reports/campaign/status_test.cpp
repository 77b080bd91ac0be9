#include "reports/campaign/status.h"

#include <sys/wait.h>

#include <set>

#include "reports/store/bug_list.h"
#include "reports/store/sqlite.h"
#include "tests/reports/campaign/campaign_support.h"

using namespace haruspex;
using namespace haruspex::test;

namespace {

campaign::Status status_in(const fs::path& folder) {
    auto status = campaign::read_status(folder);
    INFO((status ? std::string() : to_string(status.error())));
    REQUIRE(status.has_value());
    return std::move(*status);
}

// Every file of the folder with its content and the time of its last change.
std::map<std::string, std::pair<std::string, fs::file_time_type>> content(const fs::path& folder) {
    std::map<std::string, std::pair<std::string, fs::file_time_type>> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_directory()) { continue; }
        files[entry.path().lexically_relative(folder)] = {*store::read_file(entry.path()), entry.last_write_time()};
    }
    return files;
}

std::set<std::string> live_files(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename();
        if (name.find(".live") != std::string::npos) { names.insert(name); }
    }
    return names;
}

}  // namespace

TEST_CASE("the status of a campaign that ended is that of its summary, and leaves no trace") {
    Scratch scratch;
    const auto o = options(scratch / "out", 60, 2);
    const auto summary = run(o, mixed_mischief);
    const auto before = content(o.out);
    const campaign::Status status = status_in(o.out);
    CHECK(content(o.out) == before);
    CHECK(status.processes == 0);
    CHECK(status.is_complete);
    CHECK(status.compiler == "halide 1.2.3");
    CHECK(status.cases_of == "seed 7");
    CHECK(status.asked == 60);
    CHECK(status.glance.cases == 60);
    CHECK(status.glance.by_class == summary.by_class);
    CHECK(status.glance.rejections == summary.rejections);
    CHECK(status.glance.features == summary.features.size());
    CHECK(status.glance.seconds == summary.seconds);
    std::uint64_t cases_of_groups = 0;
    for (const auto& [group, cases] : summary.groups) {
        CHECK(status.glance.groups.at(group) == cases.size());
        cases_of_groups += cases.size();
    }
    // Nothing was triaged: no group is shown as a bug.
    CHECK(status.bugs.empty());
    CHECK(status.untriaged_groups == summary.groups.size());
    CHECK(status.untriaged_cases == cases_of_groups);
    CHECK(live_files(o.out).empty());
    const Json json = Json::parse(to_json(status));
    CHECK(json["cases"] == 60);
    CHECK(json["running"] == false);
    CHECK(json["not_triaged"]["groups"] == summary.groups.size());
    CHECK(json["bugs"].empty());
}

TEST_CASE("the last cases with a new feature and a new group are counted back from the last case") {
    Scratch scratch;
    const auto o = options(scratch / "out", 40);
    run(o, mixed_mischief);
    const campaign::Status status = status_in(o.out);
    // The same by a look at each case.
    const store::sqlite::Connection connection(o.out / "campaign.sqlite");
    const auto newest = connection.integer(
        "SELECT max(since) FROM (SELECT min(idx) AS since FROM case_features "
        "GROUP BY feature)");
    REQUIRE(status.glance.newest.has_value());
    CHECK(status.glance.newest->cases_ago == 39 - static_cast<std::uint64_t>(newest));
    CHECK(status.glance.new_features == status.glance.features);
    CHECK(status.glance.recent == 40);
    const auto newest_group =
        connection.integer("SELECT max(i) FROM (SELECT min(idx) AS i FROM findings GROUP BY grp)");
    REQUIRE_FALSE(status.glance.groups.empty());
    CHECK(status.glance.newest_group_ago == 39 - static_cast<std::uint64_t>(newest_group));
    CHECK(status.glance.new_groups == status.glance.groups.size());
    const auto database = store::Database::look(o.out);
    REQUIRE(database.has_value());
    REQUIRE(database->has_value());
    const auto last = (*database)->glance(1);
    REQUIRE(last.has_value());
    CHECK(last->new_features ==
          static_cast<std::uint64_t>(
              connection.integer("SELECT count(*) FROM (SELECT min(idx) AS since FROM case_features GROUP BY feature) "
                                 "WHERE since = 39")));
}

TEST_CASE("what was triaged are bugs, and what came later or was not reached is counted apart") {
    Scratch scratch;
    const auto o = options(scratch / "out", 60, 2);
    const auto summary = run(o, mixed_mischief);
    REQUIRE(summary.groups.size() >= 3);
    std::vector<std::string> groups;
    for (const auto& [group, cases] : summary.groups) { groups.push_back(group); }
    store::BugList list;
    list.bugs = {{"confirmed", true, "Wrong", "small", groups[0], "", 1, 7},
                 {"new", true, "Not reached", "large", groups[1], "", 1, 5},
                 {"known", false, "Known", "small", groups[0], "a-bug", 2, 3},
                 {"fixed", false, "Gone", "small", groups[0], "", 1, 1}};
    for (std::size_t g = 0; g + 1 < groups.size(); ++g) { list.groups[groups[g]] = 1; }
    REQUIRE(store::write_bug_list(list, o.out).has_value());
    const campaign::Status status = status_in(o.out);
    REQUIRE(status.bugs.size() == 1);
    CHECK(status.bugs[0] == list.bugs[0]);
    REQUIRE(status.known.size() == 1);
    CHECK(status.known[0].known == "a-bug");
    CHECK(status.untriaged_groups == 2);
    CHECK(status.untriaged_cases == 5 + summary.groups.at(groups.back()).size());
    std::ofstream(o.out / "bugs.json") << "{\"bugs\": [{}]}";
    const auto refused = campaign::read_status(o.out);
    REQUIRE_FALSE(refused.has_value());
    CHECK(to_string(refused.error()).find("bugs.json: not a list of bugs that haruspex triage wrote") !=
          std::string::npos);
}

TEST_CASE("the status of a campaign at work tells its pace and its workers, and that of a killed one does not") {
    Scratch scratch;
    const auto o = options(scratch / "out", 100000, 2);
    const pid_t process = ::fork();
    if (process == 0) {
        try {
            ReferenceCompiler compiler(mixed_mischief);
            (void)campaign::run(o, compiler, never, ignore);
        } catch (...) {}
        ::_exit(0);
    }
    // Long enough for the file of the run.
    campaign::Status status;
    for (int i = 0; i < 600 && (status.at_work.empty() || status.glance.cases == 0); ++i) {
        ::usleep(100000);
        if (auto now = campaign::read_status(o.out)) { status = std::move(*now); }
    }
    CHECK(status.processes == 1);
    REQUIRE(status.at_work.size() == 1);
    CHECK(status.at_work[0].process == process);
    CHECK(status.at_work[0].jobs == 2);
    CHECK(status.glance.cases > 0);
    CHECK_FALSE(status.is_complete);
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
    CHECK(live_files(o.out) == std::set<std::string>{"campaign.1.live"});
    const campaign::Status dead = status_in(o.out);
    CHECK(dead.processes == 0);
    CHECK(dead.at_work.empty());
    CHECK(dead.glance.cases >= status.glance.cases);
    // The next run removes what the killed one left.
    auto longer = o;
    longer.cases = dead.glance.cases + 40;
    run(longer, mixed_mischief);
    CHECK(live_files(o.out).empty());
}

TEST_CASE("a folder without a campaign has no status") {
    Scratch scratch;
    const auto nowhere = campaign::read_status(scratch / "nowhere");
    REQUIRE_FALSE(nowhere.has_value());
    CHECK(to_string(nowhere.error()).ends_with("nowhere holds no campaign; expected the folder of haruspex fuzz"));
    fs::create_directory(scratch / "empty");
    CHECK_FALSE(campaign::read_status(scratch / "empty").has_value());
    CHECK(fs::is_empty(scratch / "empty"));
    fs::create_directory(scratch / "other");
    std::ofstream(scratch / "other" / "campaign.sqlite") << std::string(5000, 'x');
    const auto other = campaign::read_status(scratch / "other");
    REQUIRE_FALSE(other.has_value());
    CHECK(to_string(other.error()).find("campaign.sqlite") != std::string::npos);
}

TEST_CASE("what a run says of itself is read back") {
    const campaign::Live live{4711, 1.5, 17, 2.25, 100.0, 2, 1, 0.5, 3, 1};
    CHECK(campaign::parse_live(to_json(live)) == live);
    campaign::Live unlimited = live;
    unlimited.left.reset();
    CHECK(campaign::parse_live(to_json(unlimited)) == unlimited);
    for (const char* text : {"", "{", "[]", "{\"process\": 1}", "{\"process\": \"x\"}"}) {
        CHECK_FALSE(campaign::parse_live(text).has_value());
    }
}
