#pragma once

#include "harness/sched/normal_form.h"
#include "harness/sched/syntax.h"

namespace haruspex::sched {

// Whether a statement has no effect: its assignments give cells the value that they already have (normal_form.h says by
// which indices), and otherwise it has only lets, loops, branches and atomic blocks. A compiler removes such a
// statement unless it is prophesied. `forms` knows the names around the statement.
bool is_idle(const Stmt& stmt, NormalForms& forms);

}  // namespace haruspex::sched
