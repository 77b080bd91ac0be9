#pragma once

#include <isl/cpp.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/validator/discharge/discharge.h"
#include "oracle/validator/evaluation/garbage.h"

namespace haruspex::validator {

// Collects garbage writes over the rounds of evaluation: a write that reads garbage turns out to be garbage in the next
// round. Too much garbage may lose a proof, and never makes one.
class GarbageSearch {
public:
    // The program must outlive it.
    explicit GarbageSearch(const sched::Program& program) : program_(program) {}

    const Garbage& found() const { return found_; }
    // Marks the write as garbage, and returns true, if the remainders of its equation show that it is. `round` counts
    // from 1.
    bool mark(const sched::Write& write, const std::vector<Remainder>& remainders, int round);
    // Whether some array has more garbage than at the last call of take_marked.
    bool has_marked() const { return !marked_.empty(); }
    // Returns the arrays in which garbage was marked since the last call.
    std::set<std::string> take_marked();

private:
    isl::set widened(const isl::set& before, const isl::set& grown, int round) const;

    const sched::Program& program_;
    Garbage found_;
    std::optional<std::set<const sched::Write*>> undefined_;  // writes that may be Undef, once there is garbage
    bool has_unknown_ = false;                                // garbage that may be Undef
    std::set<std::string> marked_;
};

}  // namespace haruspex::validator
