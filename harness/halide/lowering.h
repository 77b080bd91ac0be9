#pragma once

#include <memory>
#include <vector>

#include "harness/compiler/compiler.h"
#include "harness/halide/program_builder.h"

// Observes the lowering of a program at the boundaries of the passes. lowering.cpp does so with the hooks (passes.h). A
// build for a Halide that it cannot observe, since that is a static library or does not fit the translator, has
// unobserved_lowering.cpp in its place (CMakeLists.txt).
namespace haruspex::halide {

// Watches the lowering of one program during its lifetime.
class LoweringWatch {
public:
    LoweringWatch() = default;
    virtual ~LoweringWatch() = default;
    LoweringWatch(const LoweringWatch&) = delete;
    LoweringWatch& operator=(const LoweringWatch&) = delete;
};

// Reports the requested programs, with or without prophecies: the final statement, and the statement after each hooked
// pass from allocation_bounds_inference on (earlier statements have free bounds). Borrows everything. `inputs` are the
// inputs that are read. Adds to the observation's translation time. If nothing is to be run, answers the bounds query
// from the final statement (bounds_query.h): either reports the regions or records in the observation why there are
// none. Null if nothing is requested, or nothing of what is requested can be observed.
std::unique_ptr<LoweringWatch> watch_lowering(Program& program, const std::vector<Input*>& inputs, const cases::Case& c,
                                              const compiler::Request& request, const compiler::Progress& progress,
                                              compiler::Observation& observation);

// Returns what watch_lowering cannot observe in this process.
compiler::Unobserved unobserved();

}  // namespace haruspex::halide
