#pragma once

#include <cstdint>
#include <optional>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/interp/tensor_interpreter.h"
#include "oracle/pipeline/reference.h"

// Evaluates the case of a program of whole tensors by the rules of that language (Rink, Figures 10 to 14), which share
// nothing with the equations.
namespace haruspex::pipeline {

struct WholeTensors {
    // The first cell of an output that the reference and the exact evaluation compute otherwise; `padded` is the latter.
    std::optional<interp::TensorDifference> from_reference;
    // The first cell of an output that padding with zeros changes, which contradicts Theorem 3.
    std::optional<interp::TensorDifference> from_exact;
    bool agree() const { return !from_reference && !from_exact; }
};
// Evaluates exactly, and with extents rounded up to `multiple`. An Error if the case is not a program of whole tensors, has
// no reference, may read special values (0 times NaN is none of the padding's zeros), or needs more than `most_steps`.
[[nodiscard]] Result<WholeTensors> evaluate_whole_tensors(const cases::Case& c, const Reference& reference,
                                                          std::int64_t multiple, std::uint64_t most_steps);

}  // namespace haruspex::pipeline
