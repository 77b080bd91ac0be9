#pragma once

#include <set>
#include <string>

#include "harness/sched/syntax.h"

// All names that a transformed program binds differ, so that no name is ever captured.
namespace haruspex::transform {

class Names {
public:
    // Returns a name that was not returned before: the base itself or the base with a number.
    std::string fresh(const std::string& base);

private:
    std::set<std::string> taken_;
};

// Returns the base from which a name was made fresh.
std::string stem(const std::string& name);

// Renames everything that the statements bind to fresh names.
sched::Block refreshed(sched::Block block, Names& names);
// Renames everything that the statements bind by position only: statements that differ only in such names become equal.
sched::Block normalised(sched::Block block);

}  // namespace haruspex::transform
