#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/compiler/compiler.h"

// The compilers under test of this executable.
namespace haruspex::compiler {

// A compiler that is wrong on purpose: a shared object that is loaded before the compiler's library.
struct Mutant {
    std::string name, pass, description;
    bool is_miscompilation = true;  // rather than a crash, a hang or endless allocation
    std::filesystem::path library;  // the shared object; need not exist
};

struct Registered {
    std::string_view name;
    std::unique_ptr<Compiler> (*make)();
    std::vector<Mutant> (*mutants)();  // may be null
    std::string_view variables{};      // how the names of the environment variables begin that its library reads
};
// Each executable has a list of its own (reports/registry).
std::span<const Registered> registered();

// Their names, as in Case::compiler; the first, if there is one, is the one that commands use unless told otherwise.
std::vector<std::string_view> names();
// Null if this executable has no such compiler.
std::unique_ptr<Compiler> make_compiler(std::string_view name);

// Removes the variables of all registered compilers from the environment of this process: what a case does is up to the
// case alone. Returns whether there were any; then the process has to start anew, since a library may have read them when
// it was loaded.
bool forget_variables();

// Returns the mutants of all registered compilers, for each compiler in the order of its passes. Names are unique.
std::vector<Mutant> mutants();

}  // namespace haruspex::compiler
