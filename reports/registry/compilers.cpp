#include <array>

#include "harness/compiler/compilers.h"
#if HARUSPEX_HAS_HALIDE
#include "harness/halide/halide_compiler.h"
#include "harness/halide/mutants/catalogue.h"
#endif

namespace haruspex::compiler {
namespace {

#if HARUSPEX_HAS_HALIDE
std::vector<Mutant> halide_mutants() {
    std::vector<Mutant> all;
    for (const halide::mutants::Mutant& mutant : halide::mutants::mutants()) {
        all.push_back({mutant.name, mutant.pass, mutant.description,
                       mutant.kind == halide::mutants::Kind::miscompilation, halide::mutants::library(mutant.name)});
    }
    return all;
}
#endif

}  // namespace

std::span<const Registered> registered() {
#if HARUSPEX_HAS_HALIDE
    static constexpr std::array all{Registered{"halide", halide::make_halide, halide_mutants, "HL_"}};
    return all;
#else
    return {};
#endif
}

}  // namespace haruspex::compiler
