#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "harness/compiler/compiler.h"
#include "harness/halide/program_builder.h"

// Executes a compiled pipeline twice on the same inputs.
//
// The bounds query says which region of each input the pipeline wants; exactly that is allocated. In the first run
// every buffer ends at an unmapped page, in the second it begins behind one. What is no cell, the outputs' cells, and
// the pipeline's own heap hold one poison in the first run and another in the second.
// One exception: outputs with an atomic update have dense rows. Halide (14 and 19) gives such a stage one mutex for
// each cell and indexes them with the strides of the output, so that with padded rows every such case would corrupt the
// heap or wait for ever, and hide whatever else it may show.
namespace haruspex::halide {

// Compiles, queries, runs; reports the regions of the inputs, fills the observation's results, stray write and timings.
// A failure that Halide reports through its run-time error handler, an output whose shape the query changes, and
// exhausted memory become the outcome; what Halide throws leaves as an exception. Then the same at the other sizes
// (Request::other_sizes), with the same code.
void compile_and_run(Program& program, const std::vector<Input*>& inputs_read, const cases::Case& c,
                     const std::vector<Sizes>& other_sizes, const compiler::Progress& progress,
                     compiler::Observation& observation);

// The inputs on which some output depends; others are not among the pipeline's arguments (infer_arguments).
std::vector<Input*> inputs_read(Program& program, const std::vector<Halide::Argument>& arguments);

}  // namespace haruspex::halide
