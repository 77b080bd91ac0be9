#pragma once

#include <Halide.h>

// The changes that the mutants of catalogue.def make to a statement, one function for each mutant.
namespace haruspex::halide::mutants {

#define MUTANT(name, pass, boundary, kind, description) \
    Halide::Internal::Stmt name(const Halide::Internal::Stmt& program);
#include "harness/halide/mutants/catalogue.def"
#undef MUTANT

}  // namespace haruspex::halide::mutants
