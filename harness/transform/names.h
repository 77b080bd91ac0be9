#pragma once

#include <set>
#include <string>

#include "harness/sched/syntax.h"

// All names that a transformed program binds are different, so that nothing is ever captured.
namespace haruspex::transform {

class Names {
public:
    // One that was not given out before: the base itself or the base with a number.
    std::string fresh(const std::string& base);

private:
    std::set<std::string> taken_;
};

// What a name began as, before it was made fresh.
std::string stem(const std::string& name);

// The statements with fresh names for all that they bind.
sched::Block refreshed(sched::Block block, Names& names);
// The statements with names for all that they bind that depend on their order only: equal for statements that differ in
// names alone.
sched::Block normalised(sched::Block block);

}  // namespace haruspex::transform
