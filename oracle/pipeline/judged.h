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
#include "oracle/verdict/verdict.h"

// What is asked of the pipeline, and what it answers.
namespace haruspex::pipeline {

struct Options {
    // Generate code and run it; otherwise the lowered program alone is judged.
    bool native = true;
    bool lowered = true;   // interpret the lowered program beside the native run
    bool localise = true;  // when it is wrong, find the first wrong pass
    // Then interpret what every pass made of it, also what need not be looked at for that.
    bool every_pass = false;
    // Put the lowered program to the validator: at the case's own sizes and, unless it is refuted there, for all.
    bool validate = false;
    // What is validated for all sizes is run and interpreted at so many others: a lowered program that is wrong there
    // is the validator's fault, code that is wrong alone the compiler's (Judged::found_at).
    std::size_t other_sizes = 0;
    // Of the interpreter; a program that needs more is not judged. Half of the generator's need less than 3,000, one in
    // a hundred needs more than 4 million, four in a thousand more than this, which takes half a second.
    std::uint64_t most_steps = 12'000'000;
};

struct StageTimes {
    std::chrono::nanoseconds reference{0}, child{0}, interpret{0}, localise{0}, validate{0}, judge{0};
    compiler::Timings compiler;  // inside the child
};

struct Judged {
    verdict::Verdict verdict;
    // What the lowered program shows by itself, whatever its compiled code does (oracle/judge/lowered.h, without a
    // native run); of what was not lowered or has no reference, nothing.
    verdict::Class lowered = verdict::Class::not_compared;
    // Of which sizes the verdict is when not of the case's own: of one of Options::other_sizes.
    std::optional<Sizes> found_at;
    // By which verdict.pass is known: at the case's sizes and on its inputs, or on those of a counterexample
    // (refuted_passes.h). Empty when nothing was localised; those that were looked at for it unless every pass was
    // asked for.
    std::vector<PassResult> passes;
    StageTimes times;
};

// Adds the time until its end of scope.
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
