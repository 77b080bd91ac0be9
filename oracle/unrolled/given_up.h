#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "oracle/validator/validator.h"

namespace haruspex::unrolled {

// Why there is no proof for these sizes. Does not leave this folder.
class GivenUp : public std::runtime_error {
public:
    GivenUp(validator::Outcome outcome, const std::string& reason, bool is_exhausted = false)
        : runtime_error(reason), outcome_(outcome), is_exhausted_(is_exhausted) {}
    validator::Outcome outcome() const { return outcome_; }
    // For want of steps.
    bool is_exhausted() const { return is_exhausted_; }

private:
    validator::Outcome outcome_;
    bool is_exhausted_;
};

// Several iterations of a par loop, or several lanes, write one cell where something is known up to rounding only, so
// that it need not be the same.
class SharedCell : public std::exception {};

[[noreturn]] inline void unsupported(const std::string& what) { throw GivenUp(validator::Outcome::unsupported, what); }

}  // namespace haruspex::unrolled
