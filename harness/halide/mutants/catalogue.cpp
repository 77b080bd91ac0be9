#include "harness/halide/mutants/catalogue.h"

#include <algorithm>

namespace haruspex::halide::mutants {

std::string to_string(Kind kind) {
    switch (kind) {
        case Kind::miscompilation: return "miscompilation";
        case Kind::crash: return "crash";
        case Kind::hang: return "hang";
        case Kind::memory: return "memory";
    }
    return {};
}

const std::vector<Mutant>& mutants() {
    static const std::vector<Mutant> all{
#define MUTANT(name, pass, boundary, kind, description) {#name, #pass, boundary, Kind::kind, description},
#include "harness/halide/mutants/catalogue.def"
#undef MUTANT
    };
    return all;
}

std::optional<Mutant> find(const std::string& name) {
    const auto found = std::ranges::find(mutants(), name, &Mutant::name);
    return found == mutants().end() ? std::nullopt : std::optional(*found);
}

std::filesystem::path library(const std::string& name) {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "mutants" / ("lib" + name + ".so");
}

}  // namespace haruspex::halide::mutants
