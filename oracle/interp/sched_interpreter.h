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

// The value of an input array's cell, by tensor and tensor coordinates.
using TensorValues =
    std::function<value::Value(const std::string& tensor, int component, const std::vector<std::int64_t>& coordinates)>;

// Padding by rounding up (Rink, section 4; ev-pad-stmt): every array, inside or outside, has its extents rounded up to
// a multiple of `multiple` and may be accessed there. The cells beyond the original extents are filled in advance, at
// each entry of an allocation. A cell of an input's padding may be written.
//
// Strides stay the same. The cells of a strided array are the sums of c_d * stride_d over 0 <= c_d < extent_d rounded
// up; its padding consists of those that are not a sum over the original extents. So a coordinate beyond an extent that
// falls on a proper cell (because the stride leaves no room) is that cell, and nothing is padding twice.
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
    // For an accumulation: its reduced index, evaluated. `value` is then the value folded in, which is the value of the
    // prophesied reduction at that index (RED-U-OPASSIGN, thesis 7.4).
    std::vector<std::int64_t> reduced;
    value::Value value = value::Value::uninit(value::Type::i32);
};

struct Options {
    std::optional<Padding> padding;
    // Limit on steps: statements executed, iterations begun, lanes evaluated, and operations on indices and allocated
    // cells, 64 of these per step. Bounds that nest select at each depth are most of the work of some programs.
    std::uint64_t most_steps = 50'000'000;
    // If set, called for each write whose prophecy is a tensor access, possibly inside affine lets, in the order of the
    // writes. Not called for a dropped write, nor if an index of the prophecy has no value.
    std::function<void(const ProphesiedWrite&)> prophesied;
    std::size_t most_troubles = 8;  // and any number of negative extents
    // Zeros of either sign are indistinguishable: iterations, lanes and branches may leave either.
    bool zeros_are_one = false;
    // The number of runs of a program with forks, its branches taking turns in a different order each time
    // (sched_turns.h). At least one (ENSURE). The limit on steps applies to each run; prophesied writes are reported in
    // the first one only.
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
// The array's cell at these coordinates, or null. A scalar is the first cell of an array that has a dimension.
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
    // In the order of discovery, at most one for each kind and statement. A read-write race is discovered at the later
    // of its accesses in the order of execution, and has its statement and position. Two kinds of races are discovered
    // at the end of the later iteration, and have its position: write-write races, and races of an atomic block that
    // depend on the iteration's other accesses to the cell.
    std::vector<Trouble> troubles;
    std::uint64_t steps = 0;  // of all interleavings
    // Why the run was abandoned, after trouble: then there are neither outputs nor padding. Empty if it was not.
    std::string cut_short;
};

// Runs the program, which is well-typed (typing.h, extended rules), with a value for each of its parameters (ENSURE).
// Errors are noted, and the run continues where it can: a bad read gives Uninit, a bad write is dropped, a conflicting
// one is done, an array with impossible bounds has no cells. A branch, an assignment's condition, or a bound of a loop
// or an allocation that depends on Undef ends the run, and so does an assertion that fails.
//
// Control that depends on Uninit may go either way. Both sides of a branch are run, and all possible iterations of a
// loop (up to 2^16). Their writes to outer arrays leave Uninit (an Undef stays Undef): harmless while the result does
// not depend on it. The run ends at an allocation's bound that depends on Uninit, at a loop without such a limit, and
// where branches of a fork wait inside.
//
// The run is cut short if the limit of steps is reached, if the arrays have more than 2^26 cells, or if lanes of
// value-lets need more than 2^26 values. Cells include gaps of strided arrays and padding, and arrays whose block has
// ended until they are allocated anew. An Error if there was no trouble before, negative extents aside: earlier errors
// remain errors, but nothing is known to be right.
//
// Indices are mathematical integers. An index that leaves 64 bits, or depends on Uninit or Undef, is not trouble by
// itself (lowered code computes unused lets): the access, bound, branch or assertion that depends on it is.
//
// An input's cell is requested when it is first read, so that unread cells cost nothing. If strides may let coordinates
// share a cell, all of them are requested before the run, and the last in order (dimension 0 fastest) decides.
//
// Accesses of a par loop's iterations to one cell conflict as in U-PARLOOP: a read and a write always; two writes if
// the iterations leave different values there; accumulations, which both read and write (RED-U-OPASSIGN), always.
// Iterations that update a cell in atomic blocks of the loop's body, and do not access it elsewhere, do not conflict
// with each other. Local arrays allocated within the iteration do not count.
//
// Branches of forks take turns where one waits for units, releases some, begins or ends. The code between these points
// is not interleaved: races are found by the happens-before order (syntax.h), whichever branch ran first. The execution
// is that of the first interleaving, or of the first one that has more trouble.
//
// Two lanes of an assignment must not leave different values in one cell, and must not accumulate in one cell at all.
//
// An Uninit cell of an output is not trouble here: the judge knows whether it was requested.
[[nodiscard]] Result<Execution> run(const sched::Program& program, const Sizes& parameters, const TensorValues& inputs,
                                    const Options& options = {});

}  // namespace haruspex::interp
