#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/size_rules.h"
#include "harness/compiler/fork_server.h"
#include "harness/sched/syntax.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/judge/lowered.h"
#include "oracle/pipeline/passes.h"
#include "oracle/verdict/verdict.h"

// One case, from the generator's hand to its judgement.
namespace haruspex::pipeline {

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
    std::optional<std::map<std::string, std::int64_t>> found_at;
    // By which verdict.pass is known: at the case's sizes and on its inputs, or on those of a counterexample
    // (refuted_passes.h). Empty when nothing was localised; those that were looked at for it unless every pass was
    // asked for.
    std::vector<PassResult> passes;
    StageTimes times;
};

// What the SARE computes on the case's inputs. An Error also where its own indices do not fit 32 bits, in which
// compilers compute them.
[[nodiscard]] Result<std::vector<interp::OutputValues>> evaluate_reference(const cases::Case& c);

// The sizes for which the compiler documents that the case's schedule works. A SARE that is not the image of a Halide
// algorithm has none.
std::vector<schedule::halide::SizeRule> size_rules(const cases::Case& c, const compiler::Identity& identity);

// The rules that the case's schedule breaks, as the compiler documents them. A SARE that is not the image of a Halide
// algorithm has none, and of a schedule that names what does not exist none are known.
schedule::halide::BrokenRules broken_rules(const cases::Case& c, const compiler::Identity& identity);

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

// Evaluates the reference, compiles and runs the case in a forked child, interprets what was lowered, and judges. One
// of the two columns has to be asked for (ENSURE). The compiler judges what it accepts: the rules that the schedule
// breaks are the verdict's warnings, and only where nobody checks one of them is nothing found
// (judge::outside_context).
Judged judge_case(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                  const Options& options = {});

// All passes that can be observed, in order, the final program last. `regions` are those of the native run, or of
// the lowering alone.
std::vector<PassResult> trace_passes(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                                     const std::vector<compiler::InputRegion>& regions, compiler::ForkServer& server,
                                     const Options& options = {});

}  // namespace haruspex::pipeline
