#pragma once

#include "harness/sched/normal_form.h"
#include "harness/sched/syntax.h"

namespace haruspex::sched {

// Whether a statement has no effect: its assignments give cells the value that they have (normal_form.h says by which
// indices), and it holds nothing else but lets, loops and branches. A compiler takes that away, unless it is
// prophesied. `forms` knows the names around the statement.
bool is_idle(const Stmt& stmt, NormalForms& forms);

}  // namespace haruspex::sched
