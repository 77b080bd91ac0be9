#pragma once

#include <cstdint>

#include "generators/case/case.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/validator/replay.h"

namespace haruspex::pipeline {

// A lowered program at any sizes of its case, in the place of what it was converted to (oracle/conversion): with
// outputs of the boxes that are requested, inputs of the bounds that the converted program has, and strides as
// bind_parameters has them. Borrows all of them.
class Original {
public:
    Original(const cases::Case& c, const sched::Program& lowered, const sched::Program& converted)
        : case_(c), lowered_(lowered), converted_(converted) {}

    // One run. It does not run where an assertion at its head refuses the sizes.
    validator::Trial replay(const sare::Sare& specification, const Sizes& sizes, const validator::Inputs& inputs,
                            std::uint64_t most_steps) const;

private:
    const cases::Case& case_;
    const sched::Program& lowered_;
    const sched::Program& converted_;
};

}  // namespace haruspex::pipeline
