#pragma once

#include <expected>
#include <string>
#include <utility>

namespace haruspex {

// A position in a text. Lines and columns count from 1; line 0 means that there is no position.
struct Location {
    std::string file;
    int line = 0;
    int column = 0;

    bool operator==(const Location&) const = default;
};

// An expected failure: a malformed file, an infeasible draw, a schedule that is not admitted.
struct Error {
    std::string message;
    Location where;
    // The source line that contains `where`, shown under the message; may be empty.
    std::string excerpt;

    bool operator==(const Error&) const = default;
};

template <typename T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(std::string message) {
    return std::unexpected(Error{std::move(message), {}, {}});
}

[[nodiscard]] inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }

// "file:line:column: message", then the excerpt, if any, with a caret below the column.
std::string to_string(const Error& error);

}  // namespace haruspex
