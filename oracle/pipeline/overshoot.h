#pragma once

#include <cstdint>
#include <string>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/pipeline/prophecies.h"

// Measures how much a lowered program computes beyond what its outputs need: the padding of tensors whose extents are
// rounded up or aligned.
namespace haruspex::pipeline {

// The writes of a run whose prophecies name a cell. An extent is that of the box of cells that the outputs need of a
// tensor, directly or not (random::infer_regions); of a program of whole tensors these are the extents declared.
struct Overshoot {
    std::uint64_t within = 0, beyond = 0;
    std::string first_beyond;  // "t0.1(8, 0), of [0, 7] x [0, 3]"; empty if there is none
};
// Runs the program at the case's sizes. An Error if the specification cannot be followed (factored.h), a parameter has
// no value, or the run needs more than `most_steps`.
[[nodiscard]] Result<Overshoot> measure_overshoot(const cases::Case& c, const LoweredProgram& prophesied,
                                                  std::uint64_t most_steps);

}  // namespace haruspex::pipeline
