#include "harness/compiler/compilers.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>

namespace haruspex::compiler {

std::vector<std::string_view> names() {
    std::vector<std::string_view> all;
    for (const Registered& one : registered()) { all.push_back(one.name); }
    return all;
}

std::unique_ptr<Compiler> make_compiler(std::string_view name) {
    const auto all = registered();
    const auto found = std::ranges::find(all, name, &Registered::name);
    return found == all.end() ? nullptr : found->make();
}

bool forget_variables() {
    std::vector<std::string> found;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        for (const Registered& one : registered()) {
            if (!one.variables.empty() && text.starts_with(one.variables)) {
                found.emplace_back(text.substr(0, text.find('=')));
            }
        }
    }
    for (const std::string& name : found) { ::unsetenv(name.c_str()); }
    return !found.empty();
}

std::vector<Mutant> mutants() {
    std::vector<Mutant> all;
    for (const Registered& one : registered()) {
        if (one.mutants != nullptr) { std::ranges::move(one.mutants(), std::back_inserter(all)); }
    }
    return all;
}

}  // namespace haruspex::compiler
