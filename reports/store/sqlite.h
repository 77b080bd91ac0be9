#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

// Private to reports/store: SQLite's C interface as values. An error of SQLite is thrown as a Failure, and caught at
// the boundary of store::Database.
namespace haruspex::store::sqlite {

// SQLite's message, with the system's reason if there is one: "disk I/O error: File too large".
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A prepared statement. As in SQLite, parameters count from 1 and columns from 0.
class Statement {
public:
    Statement(sqlite3* connection, std::string_view sql);

    template <typename... Values>
    Statement& bind(const Values&... values) {
        int place = 0;
        (bind_one(++place, values), ...);
        return *this;
    }
    // Goes to the next row. Returns false if there is none.
    bool step();
    // Steps to the end and resets the statement for other parameters.
    void run();
    void reset();

    bool is_null(int column) const;
    std::int64_t integer(int column) const;
    // Reads a number that was stored by bind(std::uint64_t).
    std::uint64_t natural(int column) const { return static_cast<std::uint64_t>(integer(column)); }
    double real(int column) const;
    std::string text(int column) const;

private:
    struct Finalise {
        void operator()(sqlite3_stmt* statement) const;
    };
    void bind_one(int place, std::int64_t value);
    // Expects at most 2^63 - 1 (ENSURE): SQLite's integers are signed.
    void bind_one(int place, std::uint64_t value);
    void bind_one(int place, double value);
    void bind_one(int place, const std::string& value);
    void check(int code) const;

    sqlite3* connection_;
    std::unique_ptr<sqlite3_stmt, Finalise> statement_;
};

class Connection {
public:
    // Opens the file, and creates it if necessary.
    explicit Connection(const std::filesystem::path& file);
    // Opens an existing file to read it only. Neither waits for a process that writes, nor makes it wait.
    static Connection read_only(const std::filesystem::path& file);
    // Copies the content of a database into the memory of this process.
    static Connection copy_of(const Connection& original);

    // Executes one statement or several.
    void execute(const std::string& sql);
    // Makes each later commit one append to a log. Waits while another process writes. SQLite itself does not wait
    // here, as two processes that make this change at once could wait for each other.
    void use_write_ahead_log();
    Statement prepare(std::string_view sql) const { return {connection_.get(), sql}; }
    // Returns the first column of the first row; 0 if there is none.
    std::int64_t integer(std::string_view sql) const;
    std::int64_t last_row_id() const;
    // Returns the number of rows that the last statement changed.
    int changes() const;
    bool is_in_transaction() const;

private:
    struct Close {
        void operator()(sqlite3* connection) const;
    };
    // `name` is a path, or a URI if the flags say so.
    Connection(const std::string& name, int flags);
    std::unique_ptr<sqlite3, Close> connection_;
};

// A transaction that may write from its beginning. It is undone unless it is committed.
class Transaction {
public:
    explicit Transaction(Connection& connection);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();
    void commit();

private:
    Connection& connection_;
};

}  // namespace haruspex::store::sqlite
