#pragma once

#include <isl/cpp.h>

#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/heap/memory.h"
#include "oracle/validator/evaluation.h"
#include "oracle/validator/obligation.h"
#include "oracle/validator/specification.h"

// What is requested of a program: the boxes of the specification's outputs.
namespace haruspex::validator {

// At the end each requested cell is in its array and holds its tensor's value. After symbolic evaluation;
// `final_memory` is what the whole program leaves.
std::vector<Obligation> coverage(const sched::Program& program, const Specification& specification,
                                 const Evaluation& evaluation, const heap::Memory& final_memory,
                                 heap::Templates& templates);

// Whether no environment of the context requests a cell.
bool is_vacuous(const Specification& specification, const isl::set& context);

}  // namespace haruspex::validator
