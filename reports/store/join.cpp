#include "reports/store/join.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>

#include "reports/store/database_state.h"
#include "reports/store/files.h"
#include "reports/store/presence.h"
#include "reports/store/schema.h"

namespace haruspex::store {
namespace {

namespace fs = std::filesystem;
using sqlite::Connection;
using sqlite::Statement;
using sqlite::Transaction;

constexpr const char* database_name = "campaign.sqlite";
constexpr const char* presence_name = "campaign.lock";

// An Error if a process works on the campaign.
Result<void> must_have_ended(const fs::path& folder, const Connection& connection) {
    const auto presence = Presence::open(folder / presence_name);
    if (!presence) { return fail(presence.error()); }
    Statement runs = connection.prepare("SELECT run FROM runs");
    while (runs.step()) {
        const auto is_alive = presence->is_alive(runs.integer(0));
        if (!is_alive) { return fail(is_alive.error()); }
        if (*is_alive) { return fail(folder.string() + ": a process works on this campaign; expected one that ended"); }
    }
    return {};
}

void begin_campaign(Connection& connection, const Settings& settings, std::uint64_t first) {
    migrate(connection);
    // The database is of use only when it is complete: nothing is undone, and it reaches the disk in the end.
    connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    Transaction transaction(connection);
    connection.prepare("INSERT INTO campaign VALUES (?, ?, '')").bind(first, first).run();
    Statement row = connection.prepare("INSERT INTO settings VALUES (?, ?, ?)");
    for (const auto& [name, value] : settings.fixed) { row.bind(name, value, std::int64_t{1}).run(); }
    for (const auto& [name, value] : settings.latest) { row.bind(name, value, std::int64_t{0}).run(); }
    transaction.commit();
}

// The lowest case that the attached campaign has in common with those before it.
std::optional<std::uint64_t> common_case(const Connection& connection) {
    // Folders that each have a part of their own are told apart by their ends.
    Statement ends = connection.prepare(
        "SELECT EXISTS (SELECT 1 FROM main.cases WHERE idx BETWEEN "
        "(SELECT min(idx) FROM part.cases) AND (SELECT max(idx) FROM part.cases))");
    if (!ends.step() || ends.integer(0) == 0) { return std::nullopt; }
    Statement common =
        connection.prepare("SELECT idx FROM part.cases WHERE idx IN (SELECT idx FROM main.cases) ORDER BY idx LIMIT 1");
    return common.step() ? std::optional(common.natural(0)) : std::nullopt;
}

// The rows of one feature after the other: both tables are then read and written in their own order.
void copy_features(Connection& connection) {
    connection.execute(
        "INSERT OR IGNORE INTO main.features (name) SELECT name FROM part.features ORDER BY part.features.feature");
    Statement features = connection.prepare(
        "SELECT main.features.feature, part.features.feature FROM part.features JOIN main.features USING (name) "
        "ORDER BY main.features.feature");
    Statement copy = connection.prepare(
        "INSERT INTO main.case_features SELECT ?, idx FROM part.case_features WHERE feature = ? ORDER BY idx");
    while (features.step()) { copy.bind(features.integer(0), features.integer(1)).run(); }
}

void copy_rows(Connection& connection) {
    connection.execute("INSERT INTO main.cases SELECT * FROM part.cases ORDER BY idx");
    connection.execute("INSERT INTO main.findings SELECT * FROM part.findings ORDER BY idx");
    copy_features(connection);
    connection.execute("INSERT OR IGNORE INTO main.stages (name) SELECT name FROM part.stages ORDER BY stage");
    // CROSS JOIN keeps this order of the loops.
    connection.execute(
        "INSERT INTO main.times SELECT t.idx, m.stage, t.seconds FROM part.times AS t "
        "CROSS JOIN part.stages AS p ON p.stage = t.stage CROSS JOIN main.stages AS m ON m.name = p.name");
    connection.execute("INSERT INTO main.runs (seconds) SELECT seconds FROM part.runs ORDER BY run");
    connection.execute(
        "UPDATE main.campaign SET next = max(next, (SELECT next FROM part.campaign)), "
        "target = iif(target = '', (SELECT target FROM part.campaign), target)");
}

// Whether the name, which stands in a database, is that of a folder of a finding.
bool is_place(const fs::path& name) {
    return name.is_relative() && !name.empty() && (*name.begin() == "findings" || *name.begin() == "faults") &&
           std::ranges::find(name, fs::path("..")) == name.end();
}

// Copies the files of a finding; they reach the disk with everything else.
Result<void> copy_finding(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::create_directories(to, error);
    if (error) { return fail("cannot make the folder " + to.string() + ": " + error.message()); }
    for (fs::directory_iterator at(from, error), end; !error && at != end; at.increment(error)) {
        if (is_temporary(at->path())) { continue; }
        fs::copy(at->path(), to / at->path().filename(), error);
        if (error) { return fail("cannot copy " + at->path().string() + ": " + error.message()); }
    }
    if (error) { return fail("cannot read " + from.string() + ": " + error.message()); }
    return {};
}

Result<void> copy_findings(const Connection& connection, const fs::path& folder, const fs::path& out) {
    Statement rows = connection.prepare("SELECT folder FROM part.findings WHERE folder <> '' ORDER BY idx");
    while (rows.step()) {
        const fs::path name = rows.text(0);
        if (!is_place(name)) {
            return fail((folder / database_name).string() + ": \"" + name.string() + "\" is no folder of a finding");
        }
        if (auto copied = copy_finding(folder / name, out / name); !copied) { return copied; }
    }
    return {};
}

Result<void> join_one(Connection& connection, const fs::path& folder, const fs::path& out) {
    connection.prepare("ATTACH ? AS part").bind(fs::absolute(folder / database_name).string()).run();
    {
        Transaction transaction(connection);
        if (const auto common = common_case(connection)) {
            return fail(
                fmt::format("{} has case {}, which a folder before it has, too; expected folders without a "
                            "case in common",
                            folder.string(), *common));
        }
        copy_rows(connection);
        if (auto copied = copy_findings(connection, folder, out); !copied) { return copied; }
        transaction.commit();
    }
    connection.execute("DETACH part");
    return {};
}

// Leaves the cases that are not done, up to the last one that was taken, to the next run: as ranges of one that ended.
void leave_gaps(Connection& connection) {
    Transaction transaction(connection);
    connection.execute("INSERT INTO runs (seconds) VALUES (0)");
    const std::int64_t ended = connection.last_row_id();
    Statement range = connection.prepare("INSERT INTO ranges VALUES (?, ?, ?)");
    auto next = static_cast<std::uint64_t>(connection.integer("SELECT first FROM campaign"));
    Statement done = connection.prepare("SELECT idx FROM cases ORDER BY idx");
    const auto leave_until = [&](std::uint64_t past) {
        if (next < past) { range.bind(next, past, ended).run(); }
    };
    while (done.step()) {
        leave_until(done.natural(0));
        next = done.natural(0) + 1;
    }
    leave_until(static_cast<std::uint64_t>(connection.integer("SELECT next FROM campaign")));
    transaction.commit();
}

}  // namespace

Result<std::uint64_t> next_of(const fs::path& folder) {
    const fs::path file = folder / database_name;
    std::error_code error;
    if (!fs::exists(file, error)) {
        return fail("no campaign in " + folder.string() + "; expected a folder of haruspex fuzz");
    }
    return guarded(file, [&]() -> Result<std::uint64_t> {
        Connection connection(file);
        migrate(connection);
        if (auto ended = must_have_ended(folder, connection); !ended) { return fail(ended.error()); }
        return static_cast<std::uint64_t>(connection.integer("SELECT next FROM campaign"));
    });
}

Result<void> join(const std::vector<fs::path>& folders, const fs::path& out, const Settings& settings,
                  std::uint64_t first) {
    const fs::path file = out / database_name;
    return guarded(file, [&]() -> Result<void> {
        Connection connection(file);
        begin_campaign(connection, settings, first);
        for (const fs::path& folder : folders) {
            // SQLite's messages do not name the file.
            try {
                if (auto joined = join_one(connection, folder, out); !joined) { return joined; }
            } catch (const sqlite::Failure& failure) { return fail(folder.string() + ": " + failure.what()); }
        }
        leave_gaps(connection);
        return {};
    });
}

Result<void> publish(const fs::path& whole, const fs::path& place) {
    const int descriptor = ::open(whole.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) { return fail("cannot open the folder " + whole.string() + ": " + std::strerror(errno)); }
    // Syncing each of many small files would take far longer.
    const bool is_synced = ::syncfs(descriptor) == 0;
    const int reason = errno;
    ::close(descriptor);
    if (!is_synced) { return fail("cannot sync " + whole.string() + ": " + std::strerror(reason)); }
    int renamed = ::renameat2(AT_FDCWD, whole.c_str(), AT_FDCWD, place.c_str(), RENAME_NOREPLACE);
    std::error_code error;
    // Some file systems know no such rename.
    if (renamed != 0 && errno == EINVAL && !fs::exists(place, error)) {
        renamed = ::rename(whole.c_str(), place.c_str());
    }
    if (renamed != 0) { return fail("cannot make " + place.string() + ": " + std::strerror(errno)); }
    return sync_folder(place.parent_path());
}

}  // namespace haruspex::store
