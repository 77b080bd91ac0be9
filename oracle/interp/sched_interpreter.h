#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/value/value.h"
#include "harness/sched/syntax.h"

// The concrete interpreter of SCHED: the update semantics of thesis Fig. 4.3–4.5 (differential memories and
// accumulations as in 7.3.6), with what lowered code adds (syntax.h). It shares no evaluation code with the SARE
// interpreter beyond generators/value.
namespace haruspex::interp {

// The value of an input array's cell, by tensor and by the coordinates of the tensor.
using TensorValues = std::function<value::Value(const std::string& tensor, int component,
                                                const std::vector<std::int64_t>& coordinates)>;

// What rounds up (Rink, section 4; ev-pad-stmt): every array, inside or outside, has its extents rounded up to a
// multiple of `multiple` and may be accessed there; what lies beyond the original extents is filled before. A cell of an
// input's padding may be written.
enum class Filling : std::uint8_t { zero, uninit, noise };
struct Padding {
    std::int64_t multiple = 1;
    Filling filling = Filling::uninit;
    std::uint64_t noise_seed = 0;
};

enum class TroubleKind : std::uint8_t {
    out_of_bounds_read,
    out_of_bounds_write,
    read_after_free,  // or of an array whose condition did not hold
    write_after_free,
    write_to_input,
    read_write_race,   // U-PARLOOP: dom(δμ_i) # ρ_j
    write_write_race,  // U-PARLOOP: δμ_i and δμ_j are not compatible
    lane_conflict,     // two lanes of an assignment write different values to one cell
    depends_on_uninit,  // control, an index, a bound, an assertion or a requested output depends on Uninit
    depends_on_undef,   // likewise on Undef
    assertion_failed,
    index_overflow,   // an index left 64 bits
    negative_extent,  // of an allocation
};
std::string_view name(TroubleKind kind);  // "out_of_bounds_read", …

struct Trouble {
    TroubleKind kind = TroubleKind::out_of_bounds_read;
    std::string array;               // empty when there is none
    std::vector<std::int64_t> cell;  // the indices of the access
    std::string statement;           // its headline
    // The enclosing loops' variables, and the lane, outermost first.
    std::vector<std::pair<std::string, std::int64_t>> position;
    std::string message;  // a sentence with all of this
};

// A write with a prophecy, as it happened: for the comparison with the specification.
struct ForetoldWrite {
    const sched::Write* write = nullptr;
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> coordinates;  // the prophecy's indices, evaluated
    value::Value value = value::Value::uninit(value::Type::i32);
};

struct Options {
    std::optional<Padding> padding;
    std::uint64_t most_steps = 50'000'000;  // statements executed and lanes evaluated
    // Called for each write whose prophecy is a plain tensor access, when given.
    std::function<void(const ForetoldWrite&)> foretold;
    std::size_t most_troubles = 8;
};

// The final memory of an output array, in the order of TensorData: dimension 0 fastest.
struct FinalArray {
    std::string array;
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> min, extent;
    std::vector<value::Value> cells;
};

struct Execution {
    std::vector<FinalArray> outputs;  // in the program's order; complete only without an assertion that failed
    std::vector<Trouble> troubles;    // in the order of their discovery, at most one for each kind and statement
    std::uint64_t steps = 0;
};

// Runs the program, which is well-typed (typing.h, extended rules), with a value for each of its parameters (ENSURE).
// What goes wrong is noted and the run goes on where it can: a bad read gives Uninit, a bad write is dropped, a
// conflicting one is done; a condition that is Uninit or Undef ends the run, and so does an assertion that fails. An
// Error when the limit of steps is reached or the arrays have more than 2^26 cells.
//
// An Uninit cell of an output is no trouble here: whether it was requested, the judge knows.
[[nodiscard]] Result<Execution> run(const sched::Program& program,
                                    const std::map<std::string, std::int64_t>& parameters, const TensorValues& inputs,
                                    const Options& options = {});

}  // namespace haruspex::interp
