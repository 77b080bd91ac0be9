#include "reports/cli/mutant.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>
#include <vector>

#include "harness/mutants/lowering/catalogue.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

namespace mutants = haruspex::mutants::lowering;

std::vector<std::string> own_arguments() {
    std::vector<std::string> arguments;
    const auto line = store::read_file("/proc/self/cmdline");
    if (!line) { return arguments; }
    for (std::size_t at = 0; at < line->size();) {
        const std::size_t end = std::min(line->find('\0', at), line->size());
        arguments.push_back(line->substr(at, end - at));
        at = end + 1;
    }
    return arguments;
}

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
    std::vector<std::string> arguments = own_arguments();
    std::vector<char*> pointers;
    for (std::string& argument : arguments) { pointers.push_back(argument.data()); }
    pointers.push_back(nullptr);
    ::execv("/proc/self/exe", pointers.data());
    return std::string("cannot start again: ") + std::strerror(errno);
}

// Returns an error message, or an empty string: CLI11 reports a validator's result as the error in the value.
std::string load(const std::string& names) {
    std::string libraries;
    std::set<std::string> seen;
    std::istringstream list(names + ",");
    for (std::string name; std::getline(list, name, ',');) {
        if (!seen.insert(name).second) { return "mutant " + name + " is given twice"; }
        if (!mutants::find(name)) {
            std::string known;
            for (const mutants::Mutant& mutant : mutants::mutants()) {
                known += (known.empty() ? "" : ", ") + mutant.name;
            }
            return "there is no mutant \"" + name + "\"; there are " + known;
        }
        const std::filesystem::path library = mutants::library(name);
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
                    "A bug of our own in the compiler, or several with commas between them: harness/mutants/lowering "
                    "lists them (they are built by scripts/build release mutants)")
        ->check(CLI::Validator([](std::string& name) { return load(name); }, ""))
        ->type_name("NAME");
}

std::string loaded_mutants() {
    void* symbol = ::dlsym(RTLD_DEFAULT, "haruspex_mutant");
    return symbol == nullptr ? std::string() : reinterpret_cast<const char* (*)()>(symbol)();
}

}  // namespace haruspex::cli
