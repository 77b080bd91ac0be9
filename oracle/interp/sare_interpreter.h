#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "generators/value/value.h"

// The reference: a demand-driven, memoised interpreter of SAREs. Each cell is evaluated once, when it is first
// requested. It shares only the operators of generators/value with any compiler.
//
// Selects, && and || are eager: both arms are evaluated whatever the condition is, even an affine guard, and an Undef
// in the arm that is not chosen propagates (sare/wellformed.h: a select does not narrow where a tensor is read). For a
// SARE that was made from an algorithm (sare/staging.h), evaluation always terminates, since every tensor is total and
// only the stages of an update recur, backwards in time. Eagerness can only make the reference less defined. So a cell
// may not be compared that could be, but a compiler is never blamed for something that it was free to do. A recurrence
// that needs a case distinction in order to terminate must make it in the domains of its equations (thesis 2.2), not in
// a select.
//
// Reductions start from the neutral element (so the sum over nothing is 0, and the sum over -0.0 is 0.0).
//
// Copies along the steps of a staged update are not evaluated cell by cell: a read goes straight to the step that wrote
// the cell, which sare/staging.h determines.
namespace haruspex::interp {

// Gives the value of an input's cell; must be a pure function. Called at most once for each cell.
using InputFunction = std::function<value::Value(const std::string& input, const std::vector<std::int64_t>& indices)>;

inline constexpr std::uint64_t default_most_steps = 50'000'000;
// Indices are mathematical integers, within the range that can be computed.
inline constexpr int default_index_bits = 64;

class SareInterpreter {
public:
    // The SARE is well-formed; every parameter has a value (ENSURE). Copies what it needs. `index_bits`: 2 to 64.
    SareInterpreter(const sare::Sare& sare, const Sizes& parameters, InputFunction inputs,
                    int index_bits = default_index_bits);
    ~SareInterpreter();
    SareInterpreter(SareInterpreter&&) noexcept;
    SareInterpreter& operator=(SareInterpreter&&) noexcept;

    // Returns the value of a component of a tensor at a cell, which has the tensor's rank (ENSURE). Undef is a value.
    // An Error if the cell depends on itself or lies in no equation's domain; if the limit on steps is exceeded, or
    // more than 4 million cells wait for each other; if the bounds of a reduction are not found; if an index, a side of
    // a comparison, or a part of one leaves `index_bits` (an affine part counts as a whole); if cells of a tensor are
    // too far from each other (cell_table.h). The interpreter remains usable after an Error.
    [[nodiscard]] Result<value::Value> evaluate(const std::string& tensor, int component,
                                                const std::vector<std::int64_t>& cell);
    // Announces that a whole box will be requested, which saves memory management.
    void expect(const std::string& tensor, int component, const std::vector<std::int64_t>& min,
                const std::vector<std::int64_t>& extent);

    // The number of tensor cells evaluated so far (skipped copies and inputs do not count).
    std::uint64_t steps() const;
    // Sets the limit on steps. Points of reductions count against it like cells; a step of an update that is tested for
    // having written a cell counts as a fraction of one.
    void limit_steps(std::uint64_t most);

private:
    struct Machine;
    std::unique_ptr<Machine> machine_;
};

// The values of one output component over its box, in the order of harness TensorData (dimension 0 fastest).
struct OutputValues {
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> min, extent;
    std::vector<value::Value> cells;
};

// Evaluates all requested outputs at the given sizes. Also an Error if an output's box has a negative extent, bounds
// that leave the bits, or more than 2^28 cells.
[[nodiscard]] Result<std::vector<OutputValues>> evaluate_outputs(const sare::Sare& sare, const Sizes& parameters,
                                                                 const InputFunction& inputs,
                                                                 std::uint64_t most_steps = default_most_steps,
                                                                 int index_bits = default_index_bits);

}  // namespace haruspex::interp
