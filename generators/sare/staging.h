#pragma once

#include <optional>
#include <span>
#include <vector>

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/syntax.h"

// Translates affine algorithms to SAREs, and back (thesis 2.4.4).
//
// A function A(x) without updates becomes the tensor A itself. A function with updates 1 … n becomes the tensors A.0
// (the pure definition), A.s for each update s, and A. These tensors are the image of the function. The further
// dimensions of A.s, behind x, are the recurrence variables k of update s in the update's order: the first runs
// innermost. With the recurrence domain R and the filter F of update s:
//
//   k in R and F and x = target(k):         A.s(x, k) = values, in which accesses A(e) become A.s(e, prev(k))
//   k in R and not (F and x = target(k)):   A.s(x, k) = A.s(x, prev(k))
//   k not in R:                             A.s(x, k) = last value of stage s-1 at x
//                                           A(x)      = last value of stage n at x
//
// prev(k) is the step before k in the algorithm's order, in which the first variable runs fastest. The first coordinate
// of prev(k) is k_1 - 1. But if k_1 is at its minimum, the first coordinate of prev(k) is the maximum of k_1 instead,
// and the second coordinate steps down in the same way, and so on. For the first step, prev(k) lies outside R. The last
// value of stage 0 is A.0(x); that of stage s is A.s(x, m), where m are the maxima of k. An update without recurrence
// variables is a single step: R is true, and the value before the step is the last value of stage s-1.
namespace haruspex::sare {

// Returns the staged SARE of an algorithm. The algorithm must be well-formed (wellformed.h).
Sare stage(const Algorithm& algorithm);

// Returns the algorithm of a staged SARE; an Error names the tensor that is not the image of a function.
[[nodiscard]] Result<Algorithm> unstage(const Sare& sare);

// --- The same for one function ---

struct StagedFunction {
    std::vector<Tensor> tensors;     // A alone, or A.0 … A.n and A
    std::optional<Staging> staging;  // with updates only
    bool operator==(const StagedFunction&) const = default;
};
StagedFunction stage(const Function& function);
// Returns the function whose image, with this staging record, is `tensors`: A.0 … A.n and A, in this order.
[[nodiscard]] Result<Function> unstage(std::span<const Tensor> tensors, const Staging& staging);

// The image of one function among a SARE's tensors: the n + 2 tensors of a function with n updates, or a single tensor.
struct Group {
    std::size_t first = 0;  // in Sare::tensors
    std::size_t count = 1;
    const Staging* staging = nullptr;  // null for a single tensor
};
// Cuts the SARE's tensors into groups, in their order. An Error unless the tensors of each staging record are complete
// and adjacent, and follow each other in the order of the records.
[[nodiscard]] Result<std::vector<Group>> groups(const Sare& sare);

// --- Recurrence domains: steps are points k in the algorithm's order, the first variable fastest ---

// Returns k in R: the conjunction of min <= k < min + extent for all variables.
Condition recurrence_domain(const std::vector<RecurrenceVariable>& over);
// Returns prev(k) as indices over k and the parameters; they lie outside R for the first step.
std::vector<Index> previous_step(const std::vector<RecurrenceVariable>& over);
// Returns the maxima of the variables: the last step of a domain that is not empty.
std::vector<Index> last_step(const std::vector<RecurrenceVariable>& over);

}  // namespace haruspex::sare
