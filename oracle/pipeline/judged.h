#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "harness/compiler/compiler.h"
#include "oracle/pipeline/passes.h"
#include "oracle/smt/solvers.h"
#include "oracle/verdict/verdict.h"

// Options and result of the pipeline.
namespace haruspex::pipeline {

struct Options {
    // Generate code and run it; if false, only the lowered program is judged.
    bool native = true;
    bool lowered = true;   // interpret the lowered program beside the native run
    bool localise = true;  // when it is wrong, find the first wrong pass
    // Also interpret the program after every pass, even where the search for the wrong pass does not need it.
    bool every_pass = false;
    // Run the validator on the lowered program: at the case's own sizes and, unless it is refuted there, for all sizes.
    bool validate = false;
    // Validate for all sizes even if the program is refuted at the case's own: a proof is then unsound.
    bool validate_refuted = false;
    smt::Solvers solvers = {};  // of the validator
    // The number of other sizes at which a program validated for all sizes is run and interpreted. A lowered program
    // that is wrong there is the validator's fault; if only the code is wrong, the compiler's. Either is a finding at
    // those sizes (Judged::found_at).
    std::size_t other_sizes = 0;
    // Step limit of the interpreter; a program that needs more is not judged. Half of the generator's programs need
    // fewer than 3,000 steps, one in a hundred more than 4 million, four in a thousand more than this, which takes half
    // a second.
    std::uint64_t most_steps = 12'000'000;
};

struct StageTimes {
    std::chrono::nanoseconds reference{0}, child{0}, interpret{0}, localise{0}, validate{0}, judge{0};
    compiler::Timings compiler;  // inside the child
};

struct Judged {
    verdict::Verdict verdict;
    // The class that the lowered program shows by itself, whatever its compiled code does (the last column in
    // oracle/judge/lowered.h). not_compared if there is no lowered program or no defined reference.
    verdict::Class lowered = verdict::Class::not_compared;
    // The sizes of the verdict if they are not the case's own: one of the Options::other_sizes.
    std::optional<Sizes> found_at;
    // The outcomes after the passes, which determine verdict.pass: at the case's sizes on its inputs, or on those of a
    // counterexample (refuted_passes.h). Empty if nothing was localised; only for the examined passes unless
    // Options::every_pass.
    std::vector<PassResult> passes;
    smt::CrossChecks cross_checks;  // of the solvers, in all proofs that were attempted
    StageTimes times;
};

// Adds the time from its construction to the end of its scope to a total.
class Stopwatch {
public:
    explicit Stopwatch(std::chrono::nanoseconds& total) : total_(total), start_(Clock::now()) {}
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() { total_ += Clock::now() - start_; }

private:
    using Clock = std::chrono::steady_clock;

    std::chrono::nanoseconds& total_;
    Clock::time_point start_;
};

}  // namespace haruspex::pipeline
