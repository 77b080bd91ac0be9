#include <array>

#include "harness/compiler/compilers.h"
#include "harness/halide/halide_compiler.h"
#include "harness/halide/mutants/catalogue.h"

namespace haruspex::compiler {
namespace {

std::vector<Mutant> halide_mutants() {
    std::vector<Mutant> all;
    for (const halide::mutants::Mutant& mutant : halide::mutants::mutants()) {
        all.push_back({mutant.name, mutant.pass, mutant.description,
                       mutant.kind == halide::mutants::Kind::miscompilation, halide::mutants::library(mutant.name)});
    }
    return all;
}

}  // namespace

std::span<const Registered> registered() {
    static constexpr std::array all{Registered{"halide", halide::make_halide, halide_mutants}};
    return all;
}

}  // namespace haruspex::compiler
