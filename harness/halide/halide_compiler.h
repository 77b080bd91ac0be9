#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/compiler/compiler.h"

// Stock libHalide as a compiler under test. The public part of this folder; see README.md.
namespace haruspex::halide {

std::unique_ptr<compiler::Compiler> make_halide();

// Why this machine does not run what is compiled for the target, as far as a target says: "this machine has no
// avx512"; nothing where it does.
std::optional<std::string> unrunnable(const std::string& target);

// With which a program that uses this Halide is compiled: "-I/usr/include/halide14 -lHalide14".
std::string build_flags();
// How it was installed: "libhalide14-0 14.0.0-3 (Debian package)"; its file's name when no package owns it.
std::string installed_package();

}  // namespace haruspex::halide
