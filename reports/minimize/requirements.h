#pragma once

#include "generators/case/case.h"
#include "generators/schedule/halide/vocabulary.h"

// What keeps a candidate from showing something that is no bug.
//
// Taking a clamp out of a program may let a sum of floats round, and then a compiler that adds in another order is
// right to have another result; an overflow of i32 may do anything, and so may a schedule at sizes for which it is not
// documented to work; and Halide asks for an output that holds all cells that its updates touch. So a candidate keeps
// what its original has of this: every output has cells, all of them are defined, no operation overflows or rounds
// (random/exactness.h), the sizes meet the schedule's documented rules (schedule/halide/size_rules.h), and no output is
// touched outside what is requested of it (random/regions.h). An original that lacks one of them, as one that somebody
// wrote, does not ask for it.
namespace haruspex::minimize {

struct Requirements {
    bool has_cells = false, is_defined = false, is_exact = false, is_documented = false, is_inside = false;
    schedule::halide::Vocabulary vocabulary;
};

Requirements requirements_of(const cases::Case& c, schedule::halide::Vocabulary vocabulary);

// Whether a candidate (candidates.h) is worth a run: also what of it isl is asked is well-formed, and it is as the
// requirements say.
bool meets(const cases::Case& c, const Requirements& requirements);

}  // namespace haruspex::minimize
