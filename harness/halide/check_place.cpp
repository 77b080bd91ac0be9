#include "harness/halide/check_place.h"

#include <dlfcn.h>

#include "harness/halide/version.h"

namespace haruspex::halide {
namespace {

// Halide calls the hooks by name and passes nothing of ours through.
std::optional<CheckPlace> asked, thrown;

using IsActive = bool (*)(int, const char*, const char*, int);

// Older versions have no such function, and call none.
IsActive real_debug_is_active() {
    static const auto real =
        reinterpret_cast<IsActive>(::dlsym(RTLD_NEXT, "_ZN6Halide8Internal20debug_is_active_implEiPKcS2_i"));
    return real;
}

using ThrowError = void (*)(const Halide::InternalError&);

ThrowError real_throw_error() {
    static const auto real =
        reinterpret_cast<ThrowError>(::dlsym(RTLD_NEXT, "_ZN6Halide8Internal11throw_errorERKNS_13InternalErrorE"));
    return real;
}

}  // namespace

void forget_check_place() {
    asked.reset();
    thrown.reset();
}

std::optional<CheckPlace> last_check_place() { return thrown; }

}  // namespace haruspex::halide

namespace Halide::Internal {

// Both are declared by Halide.h of version 21. An error asks with verbosity 1, then throws.
bool debug_is_active_impl(int verbosity, const char* file, const char* function, int line);
bool debug_is_active_impl(int verbosity, const char* file, const char* function, int line) {
    if (verbosity == 1) { haruspex::halide::asked = {file, function, line}; }
    const auto real = haruspex::halide::real_debug_is_active();
    return real != nullptr && real(verbosity, file, function, line);
}

[[noreturn]] void throw_error(const InternalError& error);
void throw_error(const InternalError& error) {
    haruspex::halide::thrown = haruspex::halide::asked;
    if (const auto real = haruspex::halide::real_throw_error()) { real(error); }
    throw error;
}

}  // namespace Halide::Internal
