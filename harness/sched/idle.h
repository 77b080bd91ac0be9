#pragma once

#include "harness/sched/normal_form.h"
#include "harness/sched/syntax.h"

namespace haruspex::sched {

// Whether a statement has no effect: its assignments give each cell the value that the cell already has, compared by
// normal forms (normal_form.h), and otherwise it has only lets, loops, branches and atomic blocks. A compiler removes
// such a statement unless it has a prophecy. `forms` has the names in scope around the statement.
bool is_idle(const Stmt& stmt, NormalForms& forms);

}  // namespace haruspex::sched
