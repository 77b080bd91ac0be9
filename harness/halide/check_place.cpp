#include "harness/halide/check_place.h"

#include <dlfcn.h>

namespace haruspex::halide {
namespace {

// Halide calls the hook by name and passes nothing of ours through.
std::optional<CheckPlace> last;

using IsActive = bool (*)(int, const char*, const char*, int);

// Older versions have no such function, and call none.
IsActive real_debug_is_active() {
    static const auto real =
        reinterpret_cast<IsActive>(::dlsym(RTLD_NEXT, "_ZN6Halide8Internal20debug_is_active_implEiPKcS2_i"));
    return real;
}

}  // namespace

void forget_check_place() { last.reset(); }

std::optional<CheckPlace> last_check_place() { return last; }

}  // namespace haruspex::halide

namespace Halide::Internal {

// Declared by Halide.h of version 21. An error asks with verbosity 1.
bool debug_is_active_impl(int verbosity, const char* file, const char* function, int line);
bool debug_is_active_impl(int verbosity, const char* file, const char* function, int line) {
    if (verbosity == 1) { haruspex::halide::last = {file, function, line}; }
    const auto real = haruspex::halide::real_debug_is_active();
    return real != nullptr && real(verbosity, file, function, line);
}

}  // namespace Halide::Internal
