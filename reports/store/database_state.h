#pragma once

#include <filesystem>
#include <type_traits>

#include "generators/base/result.h"
#include "reports/store/presence.h"
#include "reports/store/sqlite.h"

// Private to reports/store: the state that database.cpp and figures.cpp share.
namespace haruspex::store {

struct DatabaseState {
    DatabaseState(std::filesystem::path path, Presence held)
        : file(std::move(path)), presence(std::move(held)), connection(file) {}

    DatabaseState(std::filesystem::path path, Presence looking, sqlite::Connection reading)
        : file(std::move(path)), presence(std::move(looking)), connection(std::move(reading)) {}

    std::filesystem::path file;
    Presence presence;
    sqlite::Connection connection;
    std::int64_t run = 0;  // the number of this process's run; 0 if it only reads
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
