#pragma once

#include <stdexcept>
#include <string>

namespace haruspex {

// A fault of haruspex itself. Caught only in main, where it becomes exit code 3, and at the end of the work of a forked
// process, which reports it to its parent.
class InternalError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

[[noreturn]] void raise_internal_error(const char* file, int line, const std::string& message);

}  // namespace haruspex

// Stays on in release builds: a broken invariant must never become a verdict.
#define ENSURE(condition, message)                                                             \
    do {                                                                                       \
        if (!(condition)) { ::haruspex::raise_internal_error(__FILE__, __LINE__, (message)); } \
    } while (false)
