#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "oracle/validator/validator.h"

namespace haruspex::unrolled {

// The reason why there is no proof for these sizes. Does not leave this folder.
class GivenUp : public std::runtime_error {
public:
    explicit GivenUp(verdict::Validation said, bool is_exhausted = false)
        : runtime_error(reason(said)), said_(std::move(said)), is_exhausted_(is_exhausted) {}
    const verdict::Validation& said() const { return said_; }
    // Whether the budget of steps is spent.
    bool is_exhausted() const { return is_exhausted_; }

private:
    verdict::Validation said_;
    bool is_exhausted_;
};

// Thrown when several iterations of a par loop, or several lanes, write one cell while values are known only up to
// rounding, so that the values they leave may differ.
class SharedCell : public std::exception {};

[[noreturn]] inline void unsupported(std::string kind, std::string detail = {}) {
    throw GivenUp(verdict::unsupported({std::move(kind), std::move(detail)}));
}
[[noreturn]] inline void out_of_budget(std::string work, bool is_exhausted) {
    throw GivenUp(verdict::obstructed(validator::Outcome::undecided, verdict::Cause::budget, {std::move(work), {}}),
                  is_exhausted);
}
[[noreturn]] inline void not_shown(validator::Kind obligation, std::string detail) {
    throw GivenUp(verdict::obstructed(validator::Outcome::undecided, obligation, std::move(detail)));
}

}  // namespace haruspex::unrolled
