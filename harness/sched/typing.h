#pragma once

#include "generators/base/result.h"
#include "harness/sched/kinds.h"
#include "harness/sched/syntax.h"

// Type-checks SCHED by the rules of the thesis (Fig. 4.7), with extensions for lowered code.
namespace haruspex::sched {

// Reports the first fault of a program in textual order: an unbound name, a name declared twice in one block (the
// parameters, the arrays and the statements of the body count as one block), a kind or type that does not fit, a tensor
// access outside a prophecy, a memory read in a prophecy or an affine let, a wrong number of indices, a lane count
// below 1, strides for only some dimensions, a write to an input, a free of an array that the program does not
// allocate, units of a name that is not a semaphore, a name or literal that has no spelling, or expressions or
// statements that nest more than max_depth deep. The message names the statement by its headline.
[[nodiscard]] Result<void> check(const Program& program, Rules rules);

// Whether expressions or statements nest more than max_depth deep: the text of such a program cannot be read back.
bool nests_too_deeply(const Program& program);

// Returns the type of an expression, or its fault. The types of tensors are not known here, so an expression whose type
// depends on a tensor's type is refused.
[[nodiscard]] Result<ExprType> type_of(const Expr& expr, const Scope& scope, Rules rules, Context context);

}  // namespace haruspex::sched
