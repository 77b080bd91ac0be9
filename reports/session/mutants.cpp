#include "reports/session/mutants.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <vector>

#include "harness/compiler/compilers.h"

namespace haruspex::session {

Result<std::string> libraries_of_mutants(const std::string& names) {
    const std::vector<compiler::Mutant> mutants = compiler::mutants();
    std::string libraries;
    std::set<std::string> seen;
    std::istringstream list(names + ",");
    for (std::string name; std::getline(list, name, ',');) {
        if (!seen.insert(name).second) { return fail("mutant " + name + " is given twice"); }
        const auto mutant = std::ranges::find(mutants, name, &compiler::Mutant::name);
        if (mutant == mutants.end()) {
            std::string known;
            for (const compiler::Mutant& one : mutants) { known += (known.empty() ? "" : ", ") + one.name; }
            return fail("unknown mutant \"" + name + "\"; expected one of " + known);
        }
        const std::filesystem::path& library = mutant->library;
        if (!std::filesystem::exists(library)) {
            return fail("mutant " + name + " is not built (" + library.filename().string() +
                        "): scripts/build release mutants");
        }
        libraries += (libraries.empty() ? "" : ":") + library.string();
    }
    return libraries;
}

}  // namespace haruspex::session
