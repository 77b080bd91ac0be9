#pragma once

#include <memory>

#include "harness/compiler/compiler.h"

// Stock libHalide as a compiler under test. The only header of this folder that others include; it is free of Halide.h.
namespace haruspex::halide {

std::unique_ptr<compiler::Compiler> make_halide();

}  // namespace haruspex::halide
