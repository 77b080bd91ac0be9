#include "reports/store/schema.h"

#include <fmt/core.h>

#include <array>

namespace haruspex::store {
namespace {

// "hrsp": marks the database as a campaign's, for us and for `file`.
constexpr std::int64_t application_id = 0x68727370;

// The n-th entry brings version n to version n + 1. Databases of every version exist: an entry never changes.
constexpr std::array<const char*, schema_version> migrations{
    R"sql(
    CREATE TABLE campaign (first INTEGER NOT NULL, next INTEGER NOT NULL, target TEXT NOT NULL);
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL, fixed INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE runs (run INTEGER PRIMARY KEY AUTOINCREMENT, seconds REAL NOT NULL);
    CREATE TABLE ranges (first INTEGER PRIMARY KEY, past INTEGER NOT NULL, run INTEGER NOT NULL);
    CREATE TABLE cases (idx INTEGER PRIMARY KEY, class TEXT NOT NULL, verdict TEXT NOT NULL,
                        directives INTEGER NOT NULL, prophecies TEXT NOT NULL, reason TEXT NOT NULL);
    CREATE TABLE findings (idx INTEGER PRIMARY KEY, grp TEXT NOT NULL, folder TEXT NOT NULL);
    CREATE INDEX findings_by_group ON findings (grp, idx);
    CREATE TABLE features (feature INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE case_features (feature INTEGER NOT NULL, idx INTEGER NOT NULL, PRIMARY KEY (feature, idx)) WITHOUT ROWID;
    CREATE TABLE stages (stage INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE times (idx INTEGER NOT NULL, stage INTEGER NOT NULL, seconds REAL NOT NULL,
                        PRIMARY KEY (idx, stage)) WITHOUT ROWID;
    )sql",
    // Nearly every finding takes five files of one block each.
    R"sql(
    ALTER TABLE findings ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    UPDATE findings SET bytes = 20480 WHERE folder <> '';
    )sql",
    // A row of the validator's table that is a false alarm is marked as one.
    R"sql(
    UPDATE features SET name = 'proof:at its sizes (false alarm): undecided: refuted, not confirmed'
        WHERE name = 'proof:at its sizes: undecided: refuted, not confirmed';
    UPDATE features SET name = 'proof:undecided (false alarm): refuted, not confirmed'
        WHERE name = 'proof:undecided: refuted, not confirmed';
    )sql",
};

void refuse_strangers(const sqlite::Connection& connection, std::int64_t version) {
    const bool is_empty = connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0;
    if (!is_empty && connection.integer("PRAGMA application_id") != application_id) {
        throw sqlite::Failure("a database of something else");
    }
    if (version > schema_version) {
        throw sqlite::Failure(fmt::format("written by a newer haruspex: version {} of the tables; expected at most {}",
                                          version, schema_version));
    }
}

}  // namespace

void migrate(sqlite::Connection& connection) {
    sqlite::Transaction transaction(connection);
    auto version = connection.integer("PRAGMA user_version");
    refuse_strangers(connection, version);
    if (version == schema_version) { return; }
    for (; version < schema_version; ++version) {
        connection.execute(migrations.at(static_cast<std::size_t>(version)));
    }
    connection.execute("PRAGMA application_id = " + std::to_string(application_id));
    connection.execute("PRAGMA user_version = " + std::to_string(version));
    transaction.commit();
}

sqlite::Connection read_only(const std::filesystem::path& file) {
    sqlite::Connection connection = sqlite::Connection::read_only(file);
    const auto version = connection.integer("PRAGMA user_version");
    refuse_strangers(connection, version);
    // Without tables: the campaign was killed before it began, or its process is about to begin.
    if (version == schema_version) { return connection; }
    sqlite::Connection copy = sqlite::Connection::copy_of(connection);
    migrate(copy);
    return copy;
}

}  // namespace haruspex::store
