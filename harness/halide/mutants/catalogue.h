#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Compilers that are wrong on purpose: stock libHalide with one of its lowering passes changed. The share of
// these faults that the oracles find is a measure of the oracles.
//
// A mutant is a shared object that is loaded before libHalide (LD_PRELOAD) into any program that uses libHalide. It
// defines the functions of the passes. Each of them calls the function of libHalide; for one pass, the mutant changes
// the argument or the result, always in the same way for the same statement. If the program hooks the passes itself
// (harness/halide/passes.h), its hooks call the mutant's functions instead of libHalide's. Several mutants can be
// loaded at once: each calls the next.
namespace haruspex::halide::mutants {

enum class Kind : std::uint8_t {
    miscompilation,  // the code is wrong: its result, or latently (a race, an access out of bounds, …)
    crash,           // the compiler crashes or throws an internal error
    hang,            // the compiler does not terminate
    memory,          // the compiler allocates memory endlessly
};
std::string to_string(Kind kind);

struct Mutant {
    std::string name;
    std::string pass;
    std::string boundary;  // which call of the pass is changed, and which of its statements (catalogue.def)
    Kind kind = Kind::miscompilation;
    std::string description;
};

// Returns all mutants, in the order of the passes where they take effect. Names are unique.
const std::vector<Mutant>& mutants();
std::optional<Mutant> find(const std::string& name);

// Returns the path of a mutant's shared object: mutants/lib<name>.so beside the running executable. The file need not
// exist.
std::filesystem::path library(const std::string& name);

}  // namespace haruspex::halide::mutants
