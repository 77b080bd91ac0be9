#pragma once

#include <cstdint>

#include "generators/case/case.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/validator/counterexamples/replay.h"

namespace haruspex::pipeline {

// The lowered program at any sizes of its case, run in place of the converted one (oracle/conversion). Outputs have the
// requested boxes, inputs the bounds of the converted program, and strides are those of bind_parameters. Borrows all of
// them.
class Original {
public:
    Original(const cases::Case& c, const sched::Program& lowered, const sched::Program& converted)
        : case_(c), lowered_(lowered), converted_(converted) {}

    // One run. The program does not run if an assertion at its head refuses the sizes.
    validator::Trial replay(const sare::Sare& specification, const Sizes& sizes, const validator::Inputs& inputs,
                            std::uint64_t most_steps) const;

private:
    const cases::Case& case_;
    const sched::Program& lowered_;
    const sched::Program& converted_;
};

}  // namespace haruspex::pipeline
