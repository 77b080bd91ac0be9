#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "generators/base/sizes.h"
#include "oracle/smt/solvers.h"
#include "oracle/validator/counterexamples/search.h"
#include "oracle/validator/discharge/ladder.h"

namespace haruspex::validator {

struct Options {
    Ladder ladder;
    smt::Solvers solvers;
    // Parameters with a fixed value, of the specification or of the program alone (strides of buffers). The verdict
    // covers these values, and all values of the other parameters.
    Sizes sizes;
    // Budgets, in isl's elementary operations: `operations` for the whole run, `evaluation_operations` of these for the
    // evaluation of each round, `obligation_operations` for each obligation including its deferred evaluation, and once
    // more for the whole search for counterexamples. After `most_exhausted` obligations exceed theirs, the proof is
    // given up.
    std::uint64_t operations = 500'000'000;
    std::uint64_t evaluation_operations = 50'000'000;
    std::uint64_t obligation_operations = 5'000'000;
    int most_exhausted = 4;
    std::uint64_t most_steps = 2'000'000;  // interpreter steps for each run of a counterexample
    // If nothing else is shown: sums of signed integers may be reduced in any order, as long as no partial sum overflows
    // (Arithmetic::sums_fit). A proof that needs it says so.
    bool may_assume_sums_fit = false;
    // Runs the program from which this one was converted, if there is one. Counterexamples are then run on that
    // program, since an error that only this one shows comes from the conversion.
    Runner original;
    // Stops when an access is not shown to lie within its array's dimensions; the remaining obligations are not looked
    // at.
    bool ends_at_bounds = false;
    bool explain = false;
    // Runs a few small sizes before the proof, because most wrong programs are wrong there. No proof depends on this.
    // (Sizes are run in any case where sums are taken to fit: if they overflow though inputs are small, there is no proof.)
    bool probes = true;
    // Called when a part of the work begins ("evaluation", …); for timing.
    std::function<void(std::string_view part)> on_part;

    void begin(std::string_view part) const {
        if (on_part) { on_part(part); }
    }
};

}  // namespace haruspex::validator
