#pragma once

#include <Halide.h>

// The changes that the mutants of catalogue.def make to a statement. Everything else is returned unchanged.
namespace haruspex::mutants::lowering {

#define MUTANT(name, pass, boundary, kind, description) \
    Halide::Internal::Stmt name(const Halide::Internal::Stmt& program);
#include "harness/mutants/lowering/catalogue.def"
#undef MUTANT

}  // namespace haruspex::mutants::lowering
