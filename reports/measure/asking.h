#pragma once

#include "reports/measure/methods.h"
#include "reports/measure/process.h"

namespace haruspex::measure {

struct Answered {
    Answer answer;
    Spent spent;  // for a native run: only the compiler's and the program's processor time
};

// Calls ask() of methods.h in a process of its own, under the budget's limits. A process that hits a limit yields
// `undecided`. One that ends without an answer for any other reason yields `failed`.
Answered ask_limited(Method method, Question question, const Problem& problem, const Sizes& sizes,
                     const compiler::Identity& identity, const Budget& budget);

}  // namespace haruspex::measure
