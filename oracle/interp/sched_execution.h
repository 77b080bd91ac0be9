#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/value/value.h"
#include "harness/sched/syntax.h"
#include "oracle/verdict/trouble.h"

// The options and the results of a run of a SCHED program (sched_interpreter.h).
namespace haruspex::interp {

// The value of an input array's cell, by tensor and tensor coordinates.
using TensorValues =
    std::function<value::Value(const std::string& tensor, int component, const std::vector<std::int64_t>& coordinates)>;

// Padding by rounding up (Rink, section 4; ev-pad-stmt): the extents of every array, allocated or passed, are rounded
// up to a multiple of `multiple`, and the array may be accessed there. The cells beyond the original extents, its
// padding, are filled whenever the array is allocated. The padding of an input may be written.
//
// Strides stay the same. The cells of a strided array are the sums of c_d * stride_d, for all c_d from 0 up to the
// rounded extent; its padding consists of those that are not such a sum for the original extents. So if a stride leaves
// no room for padding, coordinates beyond an extent may be those of a proper cell; an access there is an access to that
// cell.
//
// Noise consists of small numbers (integers from -100 to 100, unsigned ones from 0, floats a quarter of that), so that
// arithmetic on it does not overflow into an Undef that an eager select would propagate.
enum class Filling : std::uint8_t { zero, uninit, noise };
struct Padding {
    std::int64_t multiple = 1;  // from 1 to 2^20 (ENSURE)
    Filling filling = Filling::uninit;
    std::uint64_t noise_seed = 0;
};

using verdict::is_harmless;
using verdict::TroubleKind;

struct Trouble {
    TroubleKind kind = TroubleKind::out_of_bounds_read;
    std::string array;               // empty if there is none
    std::vector<std::int64_t> cell;  // the indices of the access
    std::string statement;           // its headline
    // The enclosing loops' variables, and the lane, outermost first.
    std::vector<std::pair<std::string, std::int64_t>> position;
    std::string what;            // the action: "writes f[12], which is out of bounds [0, 12)"
    std::string assertion = {};  // the message of an assertion that fails
};
// One sentence with all of this.
std::string to_string(const Trouble& trouble);

// An executed write with a prophecy, for comparison with the specification.
struct ProphesiedWrite {
    const sched::Write* write = nullptr;
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> coordinates;  // the prophecy's indices, evaluated
    // For an accumulation: its reduced index, evaluated. `value` is then the value accumulated, which is that of the
    // prophesied reduction at this index (RED-U-OPASSIGN, thesis 7.4).
    std::vector<std::int64_t> reduced;
    value::Value value = value::Value::uninit(value::Type::i32);
};

struct Options {
    std::optional<Padding> padding;
    // Limit on steps. A step is a statement executed, an iteration begun, a lane evaluated, 64 operations on indices
    // (some programs spend most of their work on bounds that nest a select at each depth), or 64 cells allocated.
    std::uint64_t most_steps = 50'000'000;
    // If set, called for each write whose prophecy is a tensor access, possibly inside affine lets, in the order of the
    // writes. Not called for a write that is dropped or may not happen, nor if an index of the prophecy has no value.
    std::function<void(const ProphesiedWrite&)> prophesied;
    std::size_t most_troubles = 8;  // to be reported, besides any number of negative extents
    // Zeros of either sign are indistinguishable: iterations, lanes and branches may leave either.
    bool ignores_sign_of_zero = false;
    // The number of times that a program with forks is run, each time with its branches taking turns in another order
    // (sched_turns.h). At least one (ENSURE). The limit on steps applies to each run; prophesied writes are reported in
    // the first run only.
    std::uint32_t interleavings = 6;
};

// The final memory of an output array, in the order of TensorData: dimension 0 fastest.
struct FinalArray {
    std::string array;
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> min, extent;
    std::vector<value::Value> cells;  // empty if an extent is negative
};
// The array's cell at these coordinates; null if there is none. A scalar is the first cell of an array that has a
// dimension.
const value::Value* cell_of(const FinalArray& array, const std::vector<std::int64_t>& cell);

// A cell of padding at the end of the run, with the indices of an access to it.
struct PaddingCell {
    std::string array;
    std::vector<std::int64_t> indices;
    value::Value value = value::Value::uninit(value::Type::i32);
};

struct Execution {
    std::vector<FinalArray> outputs;   // in the program's order; complete only if no trouble ended the run
    std::vector<PaddingCell> padding;  // of all inputs and outputs, for Rink's Theorem 2
    // In the order of discovery, at most one for each kind and statement. A read-write race is discovered at the later
    // of its two accesses, and has that access's statement and position. Two kinds of races are discovered at the end
    // of the later iteration, and have its position: write-write races, and races of an atomic block that depend on
    // other accesses of the iteration to the cell.
    std::vector<Trouble> troubles;
    std::uint64_t steps = 0;  // of all interleavings
    // Why the run was abandoned after some trouble; there are then neither outputs nor padding. Empty if it was not.
    std::string cut_short;
};

}  // namespace haruspex::interp
