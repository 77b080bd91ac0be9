#pragma once

#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "harness/compiler/compiler.h"
#include "harness/halide/version.h"
#include "harness/sched/syntax.h"

// Translates Halide's statements to SCHED, in both of their dialects: stores to linear memory after storage flattening,
// and Provide and Realize over coordinates before it.
//
//   Int(32) arithmetic without a read of memory      indices
//   UInt(1) expressions without a read of memory     conditions
//   all other expressions                            values; intrinsics become the operators that they stand for
//   a vector of n lanes                              its value at the lane of an assignment, a value-let or a reduction
//   a store's predicate                              the assignment's condition
//   a stored value that reads memory                 a value-let before the assignment
//     also for lanes that the predicate excludes
//   scalar lets of indices and conditions            affine lets
//   vector lets of indices and conditions            inlined
//   other lets                                       value-lets
//   b.min.d, b.extent.d, b.stride.d of a buffer b    parameters of these names
//   other fields of a halide_buffer_t                constants: host memory present, nothing dirty, no bounds query
//   prophecy calls (prophecy.h)                      the prophecy of the store in whose value they are
//   asserts                                          asserts, unless they hold by construction
//   float operations outside strict_float,           `with loose floats`
//     in a program whose floats are to be strict
//   Acquire                                          `acquire`, and then the body
//   calls that make, initialise, release semaphores  `semaphore` and `release`
//
// A let or an allocation that would hide another name is renamed. A loop's variable always keeps its name, and may hide
// another.
namespace haruspex::halide {

struct BufferArgument {
    sched::Role role = sched::Role::input;
    std::string compiler_name;  // Halide's name of the buffer: "in", "f$0", "f$0.1"
    std::string name;           // the name of the array in SCHED: "in", "f", "f.1"
    std::string tensor;
    int component = 0;
    int components = 1;  // how many the tensor has
    value::Type type = value::Type::i32;
    int rank = 0;
};

// The parameters and buffers of a pipeline.
struct Interface {
    std::string name;
    std::vector<std::string> parameters;
    std::vector<BufferArgument> buffers;
    std::map<std::string, std::string> functions;  // Halide's name of a function -> the tensor's name
    // The names in SCHED of all arrays of bools, whether buffers or arrays that the pipeline allocates. Linear memory
    // has a byte for each bool, of which only the lowest bit counts.
    std::set<std::string> bool_arrays;
    bool has_strict_floats = false;  // all floats are to be IEEE's: Case::strict_float
};

enum class Dialect : std::uint8_t { coordinates, linear };

// A construct without a translation: a name that the statement does not define, or a kind of node or an intrinsic.
using Untranslated = std::variant<compiler::FreeVariable, Feature>;

[[nodiscard]] std::expected<sched::Program, Untranslated> translate(const Halide::Internal::Stmt& statement,
                                                                    const Interface& interface, Dialect dialect);

// Returns the corresponding type of SCHED; nullopt if there is none (integers of other widths, handles, half floats).
std::optional<value::Type> scalar_type(Halide::Type type);

}  // namespace haruspex::halide
