#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <type_traits>
#include <utility>

#include "generators/base/result.h"
#include "reports/store/presence.h"
#include "reports/store/sqlite.h"

// Private to reports/store: the state that database.cpp and figures.cpp share.
namespace haruspex::store {

// Tells files apart, whatever they are called; zeros if there is none.
inline std::pair<dev_t, ino_t> identity_of(const std::filesystem::path& file) {
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0) { return {}; }
    return {status.st_dev, status.st_ino};
}

struct DatabaseState {
    DatabaseState(std::filesystem::path path, Presence held)
        : file(std::move(path)), presence(std::move(held)), connection(file) {}

    DatabaseState(std::filesystem::path path, Presence looking, sqlite::Connection reading)
        : file(std::move(path)), presence(std::move(looking)), connection(std::move(reading)) {}

    std::filesystem::path file;
    Presence presence;
    sqlite::Connection connection;
    std::pair<dev_t, ino_t> identity = identity_of(file);  // of the file when it was opened
    std::int64_t run = 0;                                  // the number of this process's run; 0 if it only reads
};

// Runs work that uses the database in this file. Turns a sqlite::Failure into an Error that names the file.
template <typename Work>
auto guarded(const std::filesystem::path& file, const Work& work) -> std::invoke_result_t<Work> {
    try {
        return work();
    } catch (const sqlite::Failure& failure) {
        return std::unexpected(Error{failure.what(), {file.string(), 0, 0}, {}});
    }
}

// Returns the lowest index of the campaign that is not done.
inline std::uint64_t first_not_done(const sqlite::Connection& connection) {
    return static_cast<std::uint64_t>(
        connection.integer("SELECT coalesce((SELECT min(first) FROM ranges), (SELECT next FROM campaign))"));
}

}  // namespace haruspex::store
