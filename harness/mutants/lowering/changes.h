#pragma once

#include <Halide.h>

// What the mutants of catalogue.def do to a statement. What does not concern a mutant is returned as it is.
namespace haruspex::mutants::lowering {

#define MUTANT(name, pass, boundary, kind, description) \
    Halide::Internal::Stmt name(const Halide::Internal::Stmt& program);
#include "harness/mutants/lowering/catalogue.def"
#undef MUTANT

}  // namespace haruspex::mutants::lowering
