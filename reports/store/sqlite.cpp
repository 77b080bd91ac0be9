#include "reports/store/sqlite.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>

#include "generators/base/ensure.h"

namespace haruspex::store::sqlite {
namespace {

// Another process holds the database while it files a few findings, or while it ends and writes its lists: half a
// minute for a million cases. If it holds it longer than this, something is wrong.
constexpr int patience_ms = 300000;

[[noreturn]] void fail_as(sqlite3* connection, int code) {
    // SQLite does not keep the system's reason for some failures; errno then still has it from the last call.
    const int last = errno;
    // No connection: there was no memory for one.
    std::string words = connection == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(connection);
    const int known = connection == nullptr ? 0 : sqlite3_system_errno(connection);
    const int reason = known != 0 ? known : last;
    const int kind = code & 0xff;
    if ((kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN || kind == SQLITE_FULL) && reason != 0) {
        words += std::string(": ") + std::strerror(reason);
    }
    throw Failure(words);
}

}  // namespace

void Statement::Finalise::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(sqlite3* connection, std::string_view sql) : connection_(connection) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
    statement_.reset(statement);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) { fail_as(connection_, code); }
}

bool Statement::step() {
    errno = 0;
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) { return true; }
    if (code != SQLITE_DONE) { fail_as(connection_, code); }
    return false;
}

void Statement::run() {
    while (step()) {}
    reset();
}

void Statement::reset() { check(sqlite3_reset(statement_.get())); }

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string Statement::text(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
    return bytes == nullptr
               ? std::string()
               : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

void Statement::bind_one(int place, std::int64_t value) { check(sqlite3_bind_int64(statement_.get(), place, value)); }

void Statement::bind_one(int place, std::uint64_t value) {
    ENSURE(value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()), "a number that SQLite holds");
    bind_one(place, static_cast<std::int64_t>(value));
}

void Statement::bind_one(int place, double value) { check(sqlite3_bind_double(statement_.get(), place, value)); }

void Statement::bind_one(int place, const std::string& value) {
    check(sqlite3_bind_text64(statement_.get(), place, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Connection::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Connection::Connection(const std::filesystem::path& file)
    : Connection(file.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) {}

Connection Connection::read_only(const std::filesystem::path& file) {
    std::error_code error;
    if (std::filesystem::exists(file.string() + "-wal", error)) { return {file.string(), SQLITE_OPEN_READONLY}; }
    // Without a log nobody has the database open. To read it the usual way would leave an empty log and its index behind,
    // and is refused in a folder where nothing can be written.
    std::string name = "file:";
    for (const char c : std::filesystem::absolute(file).string()) {
        constexpr std::string_view special = "?#%";
        name += special.find(c) == special.npos ? std::string(1, c) : fmt::format("%{:02x}", c);
    }
    return {name + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI};
}

Connection Connection::copy_of(const Connection& original) {
    Connection copy(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    sqlite3_backup* backup = sqlite3_backup_init(copy.connection_.get(), "main", original.connection_.get(), "main");
    if (backup == nullptr) { fail_as(copy.connection_.get(), sqlite3_errcode(copy.connection_.get())); }
    sqlite3_backup_step(backup, -1);
    if (const int code = sqlite3_backup_finish(backup); code != SQLITE_OK) { fail_as(copy.connection_.get(), code); }
    return copy;
}

Connection::Connection(const std::string& name, int flags) {
    sqlite3* connection = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &connection, flags, nullptr);
    connection_.reset(connection);
    if (code != SQLITE_OK) { fail_as(connection, code); }
    sqlite3_extended_result_codes(connection, 1);
    sqlite3_busy_timeout(connection, patience_ms);
}

void Connection::execute(const std::string& sql) {
    errno = 0;
    const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) { fail_as(connection_.get(), code); }
}

void Connection::use_write_ahead_log() {
    constexpr int pause_ms = 10;
    for (int waited_ms = 0;; waited_ms += pause_ms) {
        errno = 0;
        const int code = sqlite3_exec(connection_.get(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
        if (code == SQLITE_OK) { return; }
        if ((code & 0xff) != SQLITE_BUSY || waited_ms >= patience_ms) { fail_as(connection_.get(), code); }
        sqlite3_sleep(pause_ms);
    }
}

std::int64_t Connection::integer(std::string_view sql) const {
    Statement statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Connection::last_row_id() const { return sqlite3_last_insert_rowid(connection_.get()); }

int Connection::changes() const { return sqlite3_changes(connection_.get()); }

bool Connection::is_in_transaction() const { return sqlite3_get_autocommit(connection_.get()) == 0; }

// Immediate: otherwise a transaction that reads before it writes could be refused because another process wrote in
// between.
Transaction::Transaction(Connection& connection) : connection_(connection) { connection_.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
    if (!connection_.is_in_transaction()) { return; }
    try {
        connection_.execute("ROLLBACK");
    } catch (const Failure&) {
        // The next process that opens the database undoes everything that was not committed.
    }
}

void Transaction::commit() { connection_.execute("COMMIT"); }

}  // namespace haruspex::store::sqlite
