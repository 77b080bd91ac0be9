#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "oracle/interp/sched_interpreter.h"

// The parameters and inputs of a lowered program at the sizes of its case.
namespace haruspex::pipeline {

// Returns values for a program's parameters: the case's sizes, and the minima, extents and strides of its arrays
// wherever a dimension names a parameter. b.stride.d is array b's stride even if no dimension names it. Inputs have the
// regions that the compiler asked for, or else those that the program declares over the sizes; outputs have the boxes
// that the case requests. Dimension 0 is dense; each further stride is the preceding one times its extent (rounded up
// to a multiple of `multiple`), plus a gap of three elements. An Error names a parameter without a value, or an array
// that is unknown, has another rank, or has strides beyond 64 bits.
[[nodiscard]] Result<Sizes> bind_parameters(const sched::Program& program, const cases::Case& c,
                                            const std::vector<compiler::InputRegion>& regions,
                                            std::int64_t multiple = 1);

// Returns the values of the case's inputs. Borrows the case.
interp::TensorValues input_values(const cases::Case& c);

}  // namespace haruspex::pipeline
