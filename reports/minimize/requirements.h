#pragma once

#include "generators/case/case.h"
#include "generators/schedule/language.h"

// Requirements that keep a candidate from showing a difference that is not a bug.
//
// If a clamp is removed, a sum of floats may round, and then a compiler that adds in another order may have another
// result. An overflow of i32 may do anything, and so may a schedule at sizes for which it is not documented to work.
// And a compiler may need an output buffer that holds all cells that the output's updates touch. So a candidate keeps
// each of the following properties that its original has: every output has cells, all of them are defined, no operation
// overflows or rounds (random/exactness.h), the sizes meet the schedule's documented rules (schedule/rules.h), and no
// output is touched outside its requested cells (random/regions.h). So that a reader sees it in the language in which it
// was written, a program of whole tensors stays one (tensor/from_sare.h). A property that the original lacks is not required:
// a person may have written the case so.
namespace haruspex::minimize {

struct Requirements {
    bool has_cells = false, is_defined = false, is_exact = false, is_documented = false, is_inside = false,
         has_whole_tensors = false;
    const schedule::Language* language = nullptr;
};

Requirements requirements_of(const cases::Case& c, const schedule::Language& language);

// Whether a candidate (candidates.h) is worth a run: whether it passes the checks of well-formedness that need isl, and
// meets the requirements.
bool meets(const cases::Case& c, const Requirements& requirements);

}  // namespace haruspex::minimize
