#include "reports/store/database.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "reports/store/database_state.h"
#include "reports/store/schema.h"
#include "reports/store/verdict_json.h"

namespace haruspex::store {
namespace {

namespace fs = std::filesystem;
using sqlite::Statement;
using sqlite::Transaction;

constexpr const char* database_name = "campaign.sqlite";
constexpr const char* presence_name = "campaign.lock";

Settings read_settings(const sqlite::Connection& connection) {
    Settings settings;
    Statement rows = connection.prepare("SELECT name, value, fixed FROM settings");
    while (rows.step()) { (rows.integer(2) != 0 ? settings.fixed : settings.latest)[rows.text(0)] = rows.text(1); }
    return settings;
}

void write_settings(const sqlite::Connection& connection, const std::map<std::string, std::string>& values,
                    bool fixed) {
    Statement row = connection.prepare("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)");
    for (const auto& [name, value] : values) { row.bind(name, value, std::int64_t{fixed}).run(); }
}

// Returns the first fixed setting that is not as stored, as an error message.
std::optional<std::string> contradiction(const Settings& stored, const Settings& asked) {
    for (const auto& [name, value] : asked.fixed) {
        const auto there = stored.fixed.find(name);
        const std::string before = there == stored.fixed.end() ? "unknown" : there->second;
        if (before != value) {
            return "a campaign with another " + name + ": it has " + before + ", this one " + value +
                   "; expected the same, or another folder";
        }
    }
    return std::nullopt;
}

// Removes an index that is done from the beginning of the run's range.
void leave_range(const sqlite::Connection& connection, std::uint64_t index, std::int64_t run) {
    connection.prepare("DELETE FROM ranges WHERE first = ? AND past = first + 1 AND run = ?").bind(index, run).run();
    if (connection.changes() == 0) {
        connection.prepare("UPDATE ranges SET first = first + 1 WHERE first = ? AND run = ?").bind(index, run).run();
    }
    ENSURE(connection.changes() == 1, "a case is the lowest of a range that this process has taken");
}

// Finds the id of a name in a table of names, and adds the name if it is new.
class Names {
public:
    Names(const sqlite::Connection& connection, const std::string& table, const std::string& id)
        : insert_(connection.prepare("INSERT OR IGNORE INTO " + table + " (name) VALUES (?)")),
          select_(connection.prepare("SELECT " + id + " FROM " + table + " WHERE name = ?")) {}
    std::int64_t id(const std::string& name) {
        insert_.bind(name).run();
        select_.bind(name);
        ENSURE(select_.step(), "a name that was inserted is there");
        const std::int64_t found = select_.integer(0);
        select_.reset();
        return found;
    }

private:
    Statement insert_, select_;
};

}  // namespace

Database::Database(std::unique_ptr<DatabaseState> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database::~Database() = default;

Result<std::optional<Settings>> Database::settings(const fs::path& folder) {
    const fs::path file = folder / database_name;
    std::error_code error;
    if (!fs::exists(file, error)) { return std::nullopt; }
    return guarded(file, [&]() -> Result<std::optional<Settings>> {
        sqlite::Connection connection(file);
        migrate(connection);
        return read_settings(connection);
    });
}

Result<Database> Database::open(const fs::path& folder, const Settings& settings, std::uint64_t first) {
    auto presence = Presence::open(folder / presence_name);
    if (!presence) { return fail(presence.error()); }
    const fs::path file = folder / database_name;
    return guarded(file, [&]() -> Result<Database> {
        auto state = std::make_unique<DatabaseState>(file, std::move(*presence));
        sqlite::Connection& connection = state->connection;
        migrate(connection);
        // A commit is one append to the log, and readers do not wait for writers.
        connection.use_write_ahead_log();
        connection.execute("PRAGMA synchronous = FULL");
        Transaction transaction(connection);
        if (connection.integer("SELECT COUNT(*) FROM campaign") == 0) {
            connection.prepare("INSERT INTO campaign VALUES (?, ?, '')").bind(first, first).run();
            write_settings(connection, settings.fixed, true);
        } else if (const auto what = contradiction(read_settings(connection), settings)) {
            return fail(folder.string() + " holds " + *what);
        }
        write_settings(connection, settings.latest, false);
        connection.execute("INSERT INTO runs (seconds) VALUES (0)");
        state->run = connection.last_row_id();
        // Held before another process can see the run: a run that is visible and not held has ended.
        if (auto held = state->presence.hold(state->run); !held) { return fail(held.error()); }
        transaction.commit();
        return Database(std::move(state));
    });
}

Result<std::optional<Database>> Database::look(const fs::path& folder) {
    const fs::path file = folder / database_name;
    std::error_code error;
    if (!fs::exists(file, error)) { return std::nullopt; }
    return guarded(file, [&]() -> Result<std::optional<Database>> {
        auto connection = read_only(file);
        return Database(
            std::make_unique<DatabaseState>(file, Presence::look(folder / presence_name), std::move(connection)));
    });
}

Result<Settings> Database::settings() const {
    return guarded(state_->file, [&]() -> Result<Settings> { return read_settings(state_->connection); });
}

std::int64_t Database::run() const { return state_->run; }

bool Database::is_in_place() const { return identity_of(state_->file) == state_->identity; }

Result<std::vector<std::int64_t>> Database::runs_at_work() const {
    return guarded(state_->file, [&]() -> Result<std::vector<std::int64_t>> {
        std::vector<std::int64_t> at_work;
        Statement runs = state_->connection.prepare("SELECT run FROM runs ORDER BY run");
        while (runs.step()) {
            const std::int64_t run = runs.integer(0);
            // A process does not see its own lock.
            const auto is_alive = run == state_->run ? Result<bool>(true) : state_->presence.is_alive(run);
            if (!is_alive) { return fail(is_alive.error()); }
            if (*is_alive) { at_work.push_back(run); }
        }
        return at_work;
    });
}

Result<void> Database::together(const std::function<Result<void>()>& work) {
    return guarded(state_->file, [&]() -> Result<void> {
        Transaction transaction(state_->connection);
        if (auto done = work(); !done) { return done; }
        transaction.commit();
        return {};
    });
}

Result<bool> Database::is_alone() const {
    return guarded(state_->file, [&]() -> Result<bool> {
        Statement others = state_->connection.prepare("SELECT run FROM runs WHERE run <> ?");
        others.bind(state_->run);
        while (others.step()) {
            const auto is_alive = state_->presence.is_alive(others.integer(0));
            if (!is_alive) { return fail(is_alive.error()); }
            if (*is_alive) { return false; }
        }
        return true;
    });
}

Result<Offer> Database::take(std::uint64_t past, std::uint64_t length) {
    return guarded(state_->file, [&]() -> Result<Offer> {
        sqlite::Connection& connection = state_->connection;
        Transaction transaction(connection);
        Offer offer;
        Statement taken =
            connection.prepare("SELECT first, past, run FROM ranges WHERE run <> ? AND first < ? ORDER BY first");
        taken.bind(state_->run, past);
        while (!offer.range && taken.step()) {
            const auto is_alive = state_->presence.is_alive(taken.integer(2));
            if (!is_alive) { return fail(is_alive.error()); }
            if (*is_alive) {
                offer.others_at_work = true;
                continue;
            }
            offer.range = {taken.natural(0), std::min({taken.natural(1), past, taken.natural(0) + length})};
            connection.prepare("UPDATE ranges SET past = ?, run = ? WHERE first = ?")
                .bind(offer.range->past, state_->run, offer.range->first)
                .run();
            if (offer.range->past < taken.natural(1)) {
                // The other indices stay with the run that ended.
                connection.prepare("INSERT INTO ranges VALUES (?, ?, ?)")
                    .bind(offer.range->past, taken.natural(1), taken.integer(2))
                    .run();
            }
        }
        const auto next = static_cast<std::uint64_t>(connection.integer("SELECT next FROM campaign"));
        if (!offer.range && next < past) {
            offer.range = {next, next + std::min(length, past - next)};
            connection.prepare("INSERT INTO ranges VALUES (?, ?, ?)")
                .bind(offer.range->first, offer.range->past, state_->run)
                .run();
            connection.prepare("UPDATE campaign SET next = ?").bind(offer.range->past).run();
        }
        transaction.commit();
        return offer;
    });
}

Result<bool> Database::is_done(std::uint64_t past) const {
    return guarded(state_->file, [&]() -> Result<bool> { return first_not_done(state_->connection) >= past; });
}

Result<void> Database::add(const Record& record, const std::string& folder, std::uint64_t bytes) {
    return guarded(state_->file, [&]() -> Result<void> {
        sqlite::Connection& connection = state_->connection;
        ENSURE(connection.is_in_transaction(), "cases are added together with what is filed of them");
        leave_range(connection, record.index, state_->run);
        connection.prepare("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?)")
            .bind(record.index, std::string(verdict::name(record.verdict.cls)), to_json(record.verdict),
                  record.directives, record.prophecies, record.reason)
            .run();
        if (!record.group.empty()) {
            connection.prepare("INSERT INTO findings VALUES (?, ?, ?, ?)")
                .bind(record.index, record.group, folder, bytes)
                .run();
        }
        Names features(connection, "features", "feature");
        Statement feature = connection.prepare("INSERT INTO case_features VALUES (?, ?)");
        for (const std::string& name : record.features) { feature.bind(features.id(name), record.index).run(); }
        Names stages(connection, "stages", "stage");
        Statement time = connection.prepare("INSERT INTO times VALUES (?, ?, ?)");
        for (const auto& [name, seconds] : record.seconds) { time.bind(record.index, stages.id(name), seconds).run(); }
        if (!record.target.empty()) {
            connection.prepare("UPDATE campaign SET target = ? WHERE target <> ?")
                .bind(record.target, record.target)
                .run();
        }
        return {};
    });
}

Result<void> Database::set_seconds(double seconds) {
    return guarded(state_->file, [&]() -> Result<void> {
        state_->connection.prepare("UPDATE runs SET seconds = ? WHERE run = ?").bind(seconds, state_->run).run();
        return {};
    });
}

}  // namespace haruspex::store
