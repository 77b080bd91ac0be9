#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Compilers that are wrong on purpose: stock libHalide with one of its lowering passes changed. The faults that the
// oracles find in them measure the oracles.
//
// A mutant is a shared object that is loaded before libHalide (LD_PRELOAD) into any program that uses it. It defines
// the functions of the passes, calls libHalide's and changes the argument or the result of one of them, always in the
// same way for the same statement. A program that hooks the passes itself (harness/halide/passes.h) reaches the mutant
// as the next definition. Several mutants can be loaded at once: each reaches the next.
namespace haruspex::halide::mutants {

enum class Kind : std::uint8_t {
    miscompilation,  // the code is wrong, by its result or latently (a race, an access out of bounds, …)
    crash,           // the compiler crashes or throws an internal error
    hang,            // the compiler does not terminate
    memory,          // the compiler allocates memory without end
};
std::string to_string(Kind kind);

struct Mutant {
    std::string name;
    std::string pass;
    std::string boundary;  // see catalogue.def
    Kind kind = Kind::miscompilation;
    std::string description;
};

// Returns all mutants, in the order of the passes where they matter; names are unique.
const std::vector<Mutant>& mutants();
std::optional<Mutant> find(const std::string& name);

// Returns the path of a mutant's shared object: mutants/lib<name>.so beside the running executable. Does not check that
// it exists.
std::filesystem::path library(const std::string& name);

}  // namespace haruspex::halide::mutants
