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
//   Int(32) arithmetic without a read of memory      indices; UInt(1) likewise conditions
//   everything else                                  values; intrinsics as the operators they stand for
//   a vector of n lanes                              its value at the lane of an assignment, a value-let or a reduction
//   a store's predicate                              the assignment's condition; a value that also reads memory for
//                                                    other lanes becomes a value-let before the assignment
//   scalar lets of indices and conditions            affine lets; vectors of them are inlined
//   other lets                                       value-lets
//   b.min.d, b.extent.d, b.stride.d of a buffer b    parameters of these names; other fields of a halide_buffer_t
//                                                    are known: host memory present, nothing dirty, no bounds query
//   prophecy calls (prophecy.h)                      the prophecy of the store whose value they are in
//   asserts                                          asserts, unless they hold by construction
//   floats outside strict_float,                     `with loose floats`
//   if all are to be strict
//   Acquire                                          acquire, then its body; calls that make, initialise and release
//                                                    semaphores likewise
//
// Lets and allocations keep their names unless they would hide another: only a loop's variable hides a name.
namespace haruspex::halide {

struct BufferArgument {
    sched::Role role = sched::Role::input;
    std::string compiler_name;  // of the buffer: "in", "f$0", "f$0.1"
    std::string name;           // "in", "f", "f.1"
    std::string tensor;
    int component = 0;
    int components = 1;  // of the tensor
    value::Type type = value::Type::i32;
    int rank = 0;
};

// The parameters and buffers of a pipeline.
struct Interface {
    std::string name;
    std::vector<std::string> parameters;
    std::vector<BufferArgument> buffers;
    std::map<std::string, std::string> functions;  // the compiler's names to those of the tensors
    // Arrays of truths, inside and outside, by readable names. Linear memory has a byte for each truth, of which the
    // lowest bit counts; SCHED has bool.
    std::set<std::string> bool_arrays;
    bool has_strict_floats = false;  // all floats are to be IEEE's: strict_float
};

enum class Dialect : std::uint8_t { coordinates, linear };

// A construct without a translation: a name that the statement does not define, or a kind of node or intrinsic, with
// its name if it has one.
using Untranslated = std::variant<compiler::FreeVariable, Feature>;

[[nodiscard]] std::expected<sched::Program, Untranslated> translate(const Halide::Internal::Stmt& statement,
                                                                    const Interface& interface, Dialect dialect);

// Returns the type of the same name; nullopt for a type that SCHED does not have (i1 of odd widths, handles, half
// floats).
std::optional<value::Type> scalar_type(Halide::Type type);

}  // namespace haruspex::halide
