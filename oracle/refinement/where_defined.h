#pragma once

#include <unordered_map>

#include "oracle/refinement/values.h"

namespace haruspex::refinement {

// Terms where they are defined. Then all that they are made of is defined, but for arms that are not chosen: so of a
// select whose condition is known only the arm that it chooses is left, and a number that can only be one is that one.
// Nobody may take a program's term for that, which has to be shown to be defined.
class WhereDefined {
public:
    explicit WhereDefined(Values& values) : values_(values) {}

    // A term that is defined, and the same, on all inputs on which `t` is defined.
    Term of(Term t) { return of(t, 0); }

private:
    Term of(Term t, int depth);
    Term made(const smt::Node& node, int depth);

    Values& values_;
    std::unordered_map<Term, Term> known_;
};

}  // namespace haruspex::refinement
