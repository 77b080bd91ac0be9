#pragma once

#include <expected>
#include <string>
#include <utility>

namespace haruspex {

// Where in a text something stands. Lines and columns count from 1; line 0 means that there is no position.
struct Location {
    std::string file;
    int line = 0;
    int column = 0;

    bool operator==(const Location&) const = default;
};

// Something expected that went wrong: a malformed file, an infeasible draw, a schedule that is not admitted.
struct Error {
    std::string message;
    Location where;
    // The source line in which `where` lies, to be shown under the message; empty when there is none.
    std::string excerpt;

    bool operator==(const Error&) const = default;
};

template <typename T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(std::string message) {
    return std::unexpected(Error{std::move(message), {}, {}});
}

[[nodiscard]] inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }

// "file:line:column: message", then the excerpt with a caret below the column where there is one.
std::string to_string(const Error& error);

}  // namespace haruspex
