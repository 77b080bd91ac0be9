#pragma once

#include <memory>

#include "harness/compiler/compiler.h"

// Stock libHalide as a compiler under test. The public part of this folder; see README.md.
namespace haruspex::halide {

std::unique_ptr<compiler::Compiler> make_halide();

}  // namespace haruspex::halide
