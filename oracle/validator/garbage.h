#pragma once

#include <isl/cpp.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/sched/syntax.h"

// Writes of garbage (thesis 9.9): values that depend on memory that was not written. Such a write leaves Uninit,
// arbitrary bits; where it may be Undef as well, as when what it computes overflows, Unknown, like a write without a
// prophecy: of Undef not even a select that does not choose it is free.
namespace haruspex::validator {

struct Remainder;

// Where a write is garbage: environments over the parameters that are in scope there.
struct GarbageWrite {
    isl::set environments;
    bool may_be_undef = false;
};
using Garbage = std::map<const sched::Write*, GarbageWrite>;

// What is found out about them, one round of evaluation after the other: what reads garbage turns out to be garbage in
// the next. Too much of it loses a proof, and never makes one.
class GarbageSearch {
public:
    // The program outlives it.
    explicit GarbageSearch(const sched::Program& program) : program_(program) {}

    const Garbage& found() const { return found_; }
    // Whether what is left of a write's equation says that the write is garbage; where it does, that is known from now
    // on. `round` counts from 1.
    bool mark(const sched::Write& write, const std::vector<Remainder>& remainders, int round);
    // The arrays with more garbage than when this was asked last.
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
