#pragma once

#include <isl/cpp.h>

#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/heap/memory.h"
#include "oracle/validator/evaluation/evaluation.h"
#include "oracle/validator/evaluation/obligation.h"
#include "oracle/validator/specification/specification.h"

// Coverage: the cells requested of a program are the boxes of the specification's outputs.
namespace haruspex::validator {

// Returns the obligations that, at the end, each requested cell is in its array and holds its tensor's value. To be
// called after symbolic evaluation; `final_memory` is the memory that the whole program leaves.
std::vector<Obligation> coverage(const sched::Program& program, const Specification& specification,
                                 const Evaluation& evaluation, const heap::Memory& final_memory,
                                 heap::Templates& templates);

// Whether no environment of the context requests a cell.
bool is_vacuous(const Specification& specification, const isl::set& context);

}  // namespace haruspex::validator
