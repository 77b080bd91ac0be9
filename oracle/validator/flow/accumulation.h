#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"

namespace haruspex::validator {

// A part of a program in which an array is accumulated into, and nothing else happens to it: the scope of `accumulate a`
// in thesis 7.3.4. It consists of consecutive statements of a block.
struct AccumulationScope {
    const sched::Block* block = nullptr;
    std::size_t first = 0, last = 0;          // positions of its statements
    std::vector<const sched::Write*> writes;  // the accumulations, in the order of the text
    // The value-lets just before an accumulation, in their order, if some of them read the array for it.
    std::map<const sched::Write*, std::vector<const sched::LetValue*>> lets = {};
};

// Infers the largest scope around a write, among the statements where its array is in scope. The statements in it do
// not access the array except by writes of which `accumulates` is true. The value of such a write may read the array;
// its indices and its condition do not. Value-lets may read it for such a write if only lets stand between them and the
// write, and nothing else uses them: they then hold what the write would read. nullopt if not even the write's own statement
// is such a scope.
std::optional<AccumulationScope> accumulation_scope(const sched::Program& program, const sched::Write& write,
                                                    const std::function<bool(const sched::Write&)>& accumulates);

}  // namespace haruspex::validator
