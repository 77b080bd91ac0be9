#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/sare/syntax.h"
#include "generators/value/value.h"

// The reference: a demand-driven, memoised interpreter of SAREs. A cell is evaluated when it is asked for, once. It shares nothing
// with any compiler but the operators of generators/value.
namespace haruspex::interp {

// The value of an input's cell; must be a pure function.
using InputFunction = std::function<value::Value(const std::string& input, const std::vector<std::int64_t>& indices)>;

class SareInterpreter {
public:
    // The SARE is well-formed; every parameter has a value (ENSURE). Copies what it needs.
    SareInterpreter(const sare::Sare& sare, const std::map<std::string, std::int64_t>& parameters, InputFunction inputs);
    ~SareInterpreter();
    SareInterpreter(SareInterpreter&&) noexcept;

    // The value of component `component` of `tensor` at `cell` (rank of the tensor). An Error when the cell depends on itself,
    // lies in no equation's domain, or needs more than `step_limit` cell evaluations; Undef is a value, not an error.
    [[nodiscard]] Result<value::Value> evaluate(const std::string& tensor, int component, const std::vector<std::int64_t>& cell);

    // How many cells were evaluated so far.
    std::uint64_t steps() const;
    void limit_steps(std::uint64_t most);  // default 50 million

private:
    struct Machine;
    std::unique_ptr<Machine> machine_;
};

// A box of values of one output component, cells in the order of harness TensorData (dimension 0 fastest).
struct OutputValues {
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> min, extent;
    std::vector<value::Value> cells;
};

// All requested outputs at the given sizes.
[[nodiscard]] Result<std::vector<OutputValues>> evaluate_outputs(const sare::Sare& sare,
                                                                 const std::map<std::string, std::int64_t>& parameters,
                                                                 const InputFunction& inputs);

}  // namespace haruspex::interp
