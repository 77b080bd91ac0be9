#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/value/value.h"
#include "harness/sched/syntax.h"
#include "oracle/verdict/trouble.h"

// The concrete interpreter of SCHED: the update semantics of thesis Fig. 4.3–4.5 (differential memories and
// accumulations as in 7.3.6), with what lowered code adds (syntax.h). It shares no evaluation code with the SARE
// interpreter beyond generators/value.
namespace haruspex::interp {

// The value of an input array's cell, by tensor and by the coordinates of the tensor.
using TensorValues =
    std::function<value::Value(const std::string& tensor, int component, const std::vector<std::int64_t>& coordinates)>;

// What rounds up (Rink, section 4; ev-pad-stmt): every array, inside or outside, has its extents rounded up to a
// multiple of `multiple` and may be accessed there; what lies beyond the original extents is filled before, at each
// entry of an allocation. A cell of an input's padding may be written.
//
// Strides stay as they are. The cells of a strided array are the sums of c_d * stride_d over 0 <= c_d < extent_d
// rounded up, and its padding are those among them that are no sum over the original extents: a coordinate beyond an
// extent that falls on a proper cell (because the stride leaves no room) is that cell, and nothing is padding twice.
//
// Noise consists of small numbers (integers from -100 to 100, unsigned ones from 0, floats a quarter of that), so that
// arithmetic on it does not overflow into an Undef that an eager select would spread.
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
    std::string array;               // empty when there is none
    std::vector<std::int64_t> cell;  // the indices of the access
    std::string statement;           // its headline
    // The enclosing loops' variables, and the lane, outermost first.
    std::vector<std::pair<std::string, std::int64_t>> position;
    std::string what;            // it does: "writes f[12], which is out of bounds [0, 12)"
    std::string assertion = {};  // the message of an assertion that fails
};
// A sentence with all of this.
std::string to_string(const Trouble& trouble);

// A write with a prophecy, as it happened: for the comparison with the specification.
struct ProphesiedWrite {
    const sched::Write* write = nullptr;
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> coordinates;  // the prophecy's indices, evaluated
    // Of an accumulation: its reduced index, evaluated; then `value` is what is folded in, which is what the prophesied
    // reduction has at that index (RED-U-OPASSIGN, thesis 7.4).
    std::vector<std::int64_t> reduced;
    value::Value value = value::Value::uninit(value::Type::i32);
};

struct Options {
    std::optional<Padding> padding;
    // Statements executed, iterations begun, lanes evaluated, and operations on indices and cells made, 64 of these to
    // a step each: bounds that nest select at each depth are most of the work of some programs.
    std::uint64_t most_steps = 50'000'000;
    // Called for each write whose prophecy is a tensor access, perhaps inside affine lets, when given; in the order of
    // the writes. Not for one that was dropped, nor when an index of the prophecy has no value.
    std::function<void(const ProphesiedWrite&)> prophesied;
    std::size_t most_troubles = 8;  // and any number of negative extents
    // Nothing tells zeros of either sign apart: iterations, lanes and branches may leave the one or the other.
    bool zeros_are_one = false;
    // How often a program with forks is run, its branches taking turns in other orders each time (sched_turns.h). At
    // least once (ENSURE). The limit of steps is that of each run, writes are prophesied in the first one only.
    std::uint32_t interleavings = 6;
};

// The final memory of an output array, in the order of TensorData: dimension 0 fastest.
struct FinalArray {
    std::string array;
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> min, extent;
    std::vector<value::Value> cells;  // none when an extent is negative
};
// The array's cell at these coordinates, when it has one. A scalar is the first cell of an array that has a dimension.
const value::Value* cell_of(const FinalArray& array, const std::vector<std::int64_t>& cell);

// A cell of padding at the end, by the indices of an access to it.
struct PaddingCell {
    std::string array;
    std::vector<std::int64_t> indices;
    value::Value value = value::Value::uninit(value::Type::i32);
};

struct Execution {
    std::vector<FinalArray> outputs;   // in the program's order; complete only without an assertion that failed
    std::vector<PaddingCell> padding;  // of all inputs and outputs, for Rink's Theorem 2
    // In the order of their discovery, at most one for each kind and statement. A read-write race is discovered at the
    // later of its accesses in the order of execution, and has that one's statement and position. At the end of the
    // later iteration are discovered, and have its position: write-write races, and those races of an atomic block that
    // hang on what else its iteration does with the cell.
    std::vector<Trouble> troubles;
    std::uint64_t steps = 0;  // of all interleavings
    // Why the run was given up, after trouble: then there are neither outputs nor padding. Empty when it was not.
    std::string cut_short;
};

// Runs the program, which is well-typed (typing.h, extended rules), with a value for each of its parameters (ENSURE).
// What goes wrong is noted and the run goes on where it can: a bad read gives Uninit, a bad write is dropped, a
// conflicting one is done, an array with impossible bounds has no cells. A branch, an assignment's condition, a loop's
// or an allocation's bound that depends on Undef ends the run, and so does an assertion that fails.
//
// What depends on Uninit may be either way. Of a branch both sides are run, of a loop all iterations that there may be
// (up to 2^16), and what they write is Uninit: harmless while the result does not depend on it. The run ends at an
// allocation's bound that depends on Uninit, at a loop without such a limit, and where branches of a fork wait inside.
//
// The run is cut short when the limit of steps is reached, or when the arrays have more than 2^26 cells: gaps of
// strided arrays and padding count, and so do arrays whose block has ended until they are allocated anew; or when lanes
// of value-lets need more than 2^26 values. An Error when there was no trouble before, negative extents aside: what
// went wrong until then stays wrong, but nothing is known to be right.
//
// Indices are mathematical integers. One that leaves 64 bits, or depends on Uninit or Undef, is no trouble by itself
// (lowered code computes lets that nobody uses): the access, bound, branch or assertion that depends on it is.
//
// An input's cell is asked for when it is read first, so that what is not read costs nothing. Where strides may let
// coordinates share a cell, all of them are asked for before the run, and the last in order (dimension 0 fastest)
// decides.
//
// Accesses of a par loop's iterations to one cell conflict as U-PARLOOP says: a read and a write always; two writes
// when the iterations leave different values there; accumulations, which both read and write (RED-U-OPASSIGN), always.
// Iterations that update a cell in atomic blocks of the loop's body, and do not access it elsewhere, do not conflict
// with each other. Local arrays allocated within the iteration do not count.
//
// Branches of forks take turns where one waits for units, releases some, begins or ends. What they do between is not
// interleaved: races are found by the order in which things happen (syntax.h), and do not depend on who came first. The
// execution is that of the first interleaving, or of the first one that has more trouble.
//
// Two lanes of an assignment must not leave different values in one cell, and not accumulate in one cell at all.
//
// An Uninit cell of an output is no trouble here: whether it was requested, the judge knows.
[[nodiscard]] Result<Execution> run(const sched::Program& program, const Sizes& parameters, const TensorValues& inputs,
                                    const Options& options = {});

}  // namespace haruspex::interp
