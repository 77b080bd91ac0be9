#pragma once

#include <isl/cpp.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"
#include "generators/value/operators.h"
#include "oracle/validator/specification/specification.h"

// Updates of a specification as reductions (thesis 7.3, 7.4).
//
// An update A(x) = A(x) ⊙ e(x, k) over k, where e does not depend on the update, folds ⊙ over the steps k that write x.
// If (v ⊙ a) ⊙ b = (v ⊙ b) ⊙ a for all values, the fold depends on the set of these steps only, not on their order:
// it is a homomorphism on sets of reduced indices, whatever the value before the update is (7.3.2).
namespace haruspex::validator {

// A component of a stage A.s (sare/staging.h) that is such a fold. Two tensors go with it:
//   `partial`  A.s@v(x, k)                             an input: any value
//   `step`     A.s@(x, k) = A.s@v(x, k) ⊙ e(x, k)      where step k writes x
// A program accumulates step k into a cell if it replaces any value v of the cell by v ⊙ e(x, k). This is an equation
// like any other: in a heap in which the cell holds A.s@v(x, k), it leaves A.s@(x, k). It corresponds to @ in the
// thesis, without a neutral element. Several steps at once need their operands alone:
//   `operand`  A.s$(x, k) = e(x, k)                    where step k writes x
// An update that subtracts has no such operands; several of its steps are not reduced at once.
struct StagedReduction {
    std::string function, stage;
    std::size_t update = 0, updates = 0;  // the update's number, from 1, and the number of updates of the function
    int component = 0;
    value::BinaryOp op = value::BinaryOp::add;  // ⊙; subtraction counts as addition
    value::Type type = value::Type::i32;
    std::string partial, step, operand;
    sare::Tensor steps;                    // the tensor `step`
    std::optional<sare::Tensor> operands;  // the tensor `operand`
    std::size_t rank = 0;                  // of A
    std::vector<sare::RecurrenceVariable> over;
    sare::Access before;  // the value before the update, over A's variables
};

// What is taken for granted of the operators of reductions.
struct Arithmetic {
    bool exact_reals = false;    // floats are real numbers
    bool are_numbers = false;    // no float is NaN, and zeros of either sign are equal
    bool regroups_sums = false;  // sums of floats are functions of the multiset of their summands
    // No sum of some summands of a reduction overflows, with or without the value before it. Each operand of a chain is a
    // summand, with the sign that it has in the sum. Then sums of signed integers are those of numbers: steps in another
    // order leave sums of other summands, and none of them is Undef.
    bool sums_fit = false;
};

// Whether the order of the steps does not matter.
bool allows_any_order(const StagedReduction& reduction, const Arithmetic& arithmetic);

// Finds the stages that are folds, whatever their operators.
std::vector<StagedReduction> staged_reductions(const sare::Sare& sare);
// Adds the tensors `partial`, `step` and `operand` of each reduction.
sare::Sare with_steps(const sare::Sare& sare, const std::vector<StagedReduction>& reductions);

// The steps of a reduction as isl sees them.
struct Steps {
    isl::set writing;  // { [x, k] : step k writes the cell x }
    isl::map last;     // { [x, k] -> [x, m] }, where m is the update's last step
    isl::map before;   // { [x, k] -> [j] }, where j are the indices of the value before the update
};
Steps steps_of(const StagedReduction& reduction, const Specification& specification);

}  // namespace haruspex::validator
