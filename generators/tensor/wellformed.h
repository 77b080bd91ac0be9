#pragma once

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/tensor/extents.h"
#include "generators/tensor/fault.h"
#include "generators/tensor/syntax.h"
#include "generators/tensor/typing.h"

// Well-formedness (Rink, Figures 7 and 8), of whole programs. What holds of extents holds for all parameters that
// satisfy the assumptions.
namespace haruspex::tensor {

// s-empty and s-var: extends Γ by the declaration, whose variable must be new. Also checks what the grammar of the
// report or Definition 2 imply: names, ranks, extents of at least 1. `number` is the declaration's, for the place.
Checked s_var(const Program& program, const Declaration& declaration, std::size_t number, const Extents& extents,
              Context& context);
// ok-stmt: Γ(x) = t and Γ ⊢ e : t.
Checked ok_stmt(const Statement& statement, std::size_t number, const Context& context, const Extents& extents);
// ok-prog: the declarations give Γ, and in it each statement is well-formed (ok-empty, ok-seq). Returns the first
// fault.
Checked find_fault(const Program& program);
[[nodiscard]] Result<void> check(const Program& program);

// Γ of a well-formed program (ENSURE).
Context context_of(const Program& program);
Extents extents_of(const Program& program);
// Γ with the extents that these parameters give; all are constants. An Error unless each parameter has a value, and the
// values satisfy the assumptions and give extents within 64 bits.
[[nodiscard]] Result<Context> context_at(const Program& program, const Sizes& parameters);

}  // namespace haruspex::tensor
