#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/sizes.h"
#include "harness/compiler/compiler.h"
#include "harness/halide/program_builder.h"

// Executes a compiled pipeline twice on the same inputs.
//
// The bounds query gives the region of each input that the pipeline reads; exactly this region is allocated. In the
// first run every buffer ends at an unmapped page; in the second every buffer begins behind one. The outputs' cells,
// the bytes between cells and the pipeline's own heap are filled with one poison in the first run and with another in
// the second.
//
// Outputs with an atomic update have dense rows, all other buffers padded rows. Halide (14 and 19) gives an atomic
// stage one mutex for each cell, but indexes the mutexes with the strides of the output: with padded rows, every such
// case would corrupt the heap or wait forever, and hide any other error.
namespace haruspex::halide {

// Compiles the program, queries its bounds and runs it. Reports the regions of the inputs, and fills in the
// observation's results, stray write and timings. The following become the outcome: a failure that Halide reports
// through its run-time error handler, a bounds query that does not converge, an input that is too large, exhausted
// memory. Exceptions of Halide propagate. Then runs the same code at the other sizes (Request::other_sizes).
void compile_and_run(Program& program, const std::vector<Input*>& inputs_read, const cases::Case& c,
                     const std::vector<Sizes>& other_sizes, const compiler::Progress& progress,
                     compiler::Observation& observation);

// Returns the inputs that are among the pipeline's arguments (infer_arguments): those on which some output depends.
std::vector<Input*> inputs_read(Program& program, const std::vector<Halide::Argument>& arguments);

// Returns the outcome for an error message of the run-time system: too_large for the two errors about a buffer of more
// than 2^31 - 1 bytes or cells, which Halide has on targets without large_buffers (Target.h), otherwise run_time_error.
compiler::Outcome outcome_of_error(std::string_view message);

}  // namespace haruspex::halide
