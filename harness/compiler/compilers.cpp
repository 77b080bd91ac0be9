#include "harness/compiler/compilers.h"

#include <algorithm>
#include <iterator>

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

std::vector<Mutant> mutants() {
    std::vector<Mutant> all;
    for (const Registered& one : registered()) {
        if (one.mutants != nullptr) { std::ranges::move(one.mutants(), std::back_inserter(all)); }
    }
    return all;
}

}  // namespace haruspex::compiler
