#pragma once

#include <set>
#include <string>

#include "harness/sched/syntax.h"

// Makes all names that a transformed program binds different, so that no name is ever captured.
namespace haruspex::transform {

class Names {
public:
    // Returns a name that this object has not returned yet: the base itself, or the base with a number.
    std::string fresh(const std::string& base);

private:
    std::set<std::string> taken_;
};

// Returns the base of a name that fresh() returned.
std::string stem(const std::string& name);

// Gives fresh names to everything that the statements bind.
sched::Block refreshed(sched::Block block, Names& names);
// Gives everything that the statements bind a name that depends only on its position. So statements that differ only in
// bound names become equal.
sched::Block normalised(sched::Block block);

}  // namespace haruspex::transform
