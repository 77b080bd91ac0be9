#pragma once

#include <unordered_map>

#include "oracle/refinement/values.h"

namespace haruspex::refinement {

// Simplifies terms under the assumption that they are defined. Then all their parts are defined, except for arms that
// are not chosen: a select with a known condition becomes the chosen arm, and a number with only one possible value
// becomes that value. Must not be applied to a program's term, whose definedness has to be shown.
class WhereDefined {
public:
    explicit WhereDefined(Values& values) : values_(values) {}

    // A term that is defined and equal to `t` on all inputs on which `t` is defined.
    Term of(Term t) { return of(t, 0); }

private:
    Term of(Term t, int depth);
    Term made(const smt::Node& node, int depth);

    Values& values_;
    std::unordered_map<Term, Term> known_;
};

}  // namespace haruspex::refinement
