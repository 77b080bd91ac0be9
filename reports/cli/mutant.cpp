#include "reports/cli/mutant.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ranges>
#include <set>
#include <sstream>
#include <vector>

#include "harness/compiler/compilers.h"
#include "reports/session/compilers.h"

namespace haruspex::cli {
namespace {

// Restarts the process. Returns only on failure, with the reason.
std::string start_again_with(std::string libraries, const std::string& names) {
    // Marks a restarted process, so that it does not restart forever.
    constexpr const char* mark = "HARUSPEX_MUTANT";
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
    const std::vector<compiler::Mutant> mutants = compiler::mutants();
    std::string libraries;
    std::set<std::string> seen;
    std::istringstream list(names + ",");
    for (std::string name; std::getline(list, name, ',');) {
        if (!seen.insert(name).second) { return "mutant " + name + " is given twice"; }
        const auto mutant = std::ranges::find(mutants, name, &compiler::Mutant::name);
        if (mutant == mutants.end()) {
            return fmt::format("unknown mutant \"{}\"; expected one of {}", name,
                               fmt::join(mutants | std::views::transform(&compiler::Mutant::name), ", "));
        }
        const std::filesystem::path& library = mutant->library;
        if (!std::filesystem::exists(library)) {
            return "mutant " + name + " is not built (" + library.filename().string() +
                   "): scripts/build release mutants";
        }
        libraries += (libraries.empty() ? "" : ":") + library.string();
    }
    return loaded_mutants() == names ? std::string() : start_again_with(libraries, names);
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
