#pragma once

#include <cstdint>

#include "generators/case/case.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/validator/counterexamples/replay.h"

namespace haruspex::pipeline {

// Runs the lowered program, in place of the converted one (oracle/conversion), at any sizes of the case. Outputs have
// the requested boxes, inputs the bounds that the converted program gives them, and strides are those of
// bind_parameters. Borrows the case and both programs.
class Original {
public:
    Original(const cases::Case& c, const sched::Program& lowered, const sched::Program& converted)
        : case_(c), lowered_(lowered), converted_(converted) {}

    // Runs it once. A trial whose sizes an assertion at the program's head refuses counts as not run.
    validator::Trial replay(const sare::Sare& specification, const Sizes& sizes, const validator::Inputs& inputs,
                            std::uint64_t most_steps) const;

private:
    const cases::Case& case_;
    const sched::Program& lowered_;
    const sched::Program& converted_;
};

}  // namespace haruspex::pipeline
