#pragma once

#include <chrono>

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/verdict/verdict.h"

// One case, from the generator's hand to its judgement.
namespace haruspex::pipeline {

struct StageTimes {
    std::chrono::nanoseconds reference{0}, child{0}, judge{0};
    compiler::Timings compiler;  // inside the child
};

struct Judged {
    verdict::Verdict verdict;
    StageTimes times;
};

// Evaluates the reference, compiles and runs the case in a forked child, and judges.
Judged judge_case(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity);

}  // namespace haruspex::pipeline
