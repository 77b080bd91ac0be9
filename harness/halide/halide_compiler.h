#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/compiler/compiler.h"

// Stock libHalide as a compiler under test. The only public header of this folder (README.md).
namespace haruspex::halide {

std::unique_ptr<compiler::Compiler> make_halide();

// --- Its answers as a compiler::Compiler, for the tests of this folder ---

// Returns the reason why this machine cannot run code compiled for the target, as far as the target's name tells: "this
// machine has no avx512". nullopt if the machine can run it.
std::optional<std::string> unrunnable(const std::string& target);

// Returns the flags to compile a program that uses this Halide: "-I/usr/include/halide14 -lHalide14".
std::string build_flags();
// Returns how Halide was installed: "libhalide14-0 14.0.0-3 (Debian package)", or the library's path if no package owns
// the library.
std::string installed_package();

}  // namespace haruspex::halide
