#include "reports/cli/mutant.h"

#include <dlfcn.h>

#include <cstdlib>

#include "reports/session/compilers.h"
#include "reports/session/mutants.h"

namespace haruspex::cli {
namespace {

// Restarts the process. Returns only on failure, with the reason.
std::string start_again_with(std::string libraries, const std::string& names) {
    // Marks a restarted process, so that it does not restart forever.
    const char* const mark = session::mark_of_mutants;
    const char* started_for = std::getenv(mark);
    if (started_for != nullptr && names == started_for) {
        return "cannot load " + names + ": found " + loaded_mutants();
    }
    ::setenv(mark, names.c_str(), 1);
    if (const char* before = std::getenv("LD_PRELOAD"); before != nullptr) { libraries += std::string(":") + before; }
    ::setenv("LD_PRELOAD", libraries.c_str(), 1);
    return session::start_again_as("/proc/self/exe");
}

// Returns an error message, or an empty string: CLI11 reports a validator's result as the error in the value.
std::string load(const std::string& names) {
    const auto libraries = session::libraries_of_mutants(names);
    if (!libraries) { return libraries.error().message; }
    return loaded_mutants() == names ? std::string() : start_again_with(*libraries, names);
}

}  // namespace

void add_mutant_option(CLI::App& command) {
    command
        .add_option("--mutant",
                    "Add a known bug to the compiler, or several separated by commas; the folder mutants of the "
                    "compiler in harness/ lists them (build them with scripts/build release mutants)")
        ->check(CLI::Validator([](std::string& name) { return load(name); }, ""))
        ->type_name("NAME");
}

std::string loaded_mutants() {
    void* symbol = ::dlsym(RTLD_DEFAULT, "haruspex_mutant");
    return symbol == nullptr ? std::string() : reinterpret_cast<const char* (*)()>(symbol)();
}

}  // namespace haruspex::cli
