#pragma once

#include "reports/measure/methods.h"
#include "reports/measure/process.h"

namespace haruspex::measure {

struct Answered {
    Answer answer;
    Spent spent;  // of a native run, compiling included: the compiler's and the program's processor time alone
};

// methods.h's `ask` in a process of its own, under the budget's limits. A process that these end has no answer, which
// is undecided; one that ends in any other way has failed.
Answered ask_limited(Method method, Question question, const Problem& problem, const Sizes& sizes,
                     const compiler::Identity& identity, const Budget& budget);

}  // namespace haruspex::measure
