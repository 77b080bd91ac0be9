#pragma once

#include <optional>
#include <span>
#include <vector>

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/syntax.h"

// The reduction from affine algorithms to SAREs, and back (thesis 2.4.4).
//
// A function A(x) without updates becomes the tensor A itself. With updates 1 … n it becomes A.0 (the pure
// definition), A.s for each update s, with the recurrence variables k of that update as further dimensions behind x (in
// the update's order: the first runs innermost), and the final A:
//
//   k in R and where and x = target(k):      A.s(x, k) = values, accesses A(e) read as A.s(e, prev(k))
//   k in R and not (where and x = target(k)): A.s(x, k) = A.s(x, prev(k))
//   k not in R:                              A.s(x, k) = last value of stage s-1 at x
//   A(x) = last value of stage n at x
//
// where prev(k) is the predecessor of k in the algorithm's order (the first variable runs fastest): prev(k)_1 = k_1 - 1 unless
// k_1 is at its minimum, then the maximum, and k_2 steps, and so on; the predecessor of the first point lies outside R.
// The last value of stage s is A.s(x, maxima), of stage 0 it is A.0(x). An update without recurrence variables is a
// single step: its R holds always and the step before it is the last value of stage s-1.
namespace haruspex::sare {

// The staged SARE of an algorithm. The algorithm must be well-formed (check in wellformed.h).
Sare stage(const Algorithm& algorithm);

// The algorithm of a staged SARE; an Error names the tensor that is not the image of a function.
[[nodiscard]] Result<Algorithm> unstage(const Sare& sare);

// --- The same for one function ---

struct StagedFunction {
    std::vector<Tensor> tensors;     // A alone, or A.0 … A.n and A
    std::optional<Staging> staging;  // with updates only
    bool operator==(const StagedFunction&) const = default;
};
StagedFunction stage(const Function& function);
// The function whose image under the staging record is `tensors` (A.0 … A.n and A, in this order).
[[nodiscard]] Result<Function> unstage(std::span<const Tensor> tensors, const Staging& staging);

// A SARE's tensors in their order, cut into the images of functions: the n + 2 tensors of a staged function, or a
// single tensor.
struct Group {
    std::size_t first = 0;  // in Sare::tensors
    std::size_t count = 1;
    const Staging* staging = nullptr;  // null for a single tensor
};
// An Error unless the tensors of each staging record are complete, adjacent and in the records' order.
[[nodiscard]] Result<std::vector<Group>> groups(const Sare& sare);

// --- Recurrence domains: steps are points k in the algorithm's order, the first variable fastest ---

// k in R: the conjunction of min <= k < min + extent.
Condition recurrence_domain(const std::vector<RecurrenceVariable>& over);
// prev(k) as indices over k and the parameters; outside R for the first step.
std::vector<Index> previous_step(const std::vector<RecurrenceVariable>& over);
// The maxima: the last step of a domain that is not empty.
std::vector<Index> last_step(const std::vector<RecurrenceVariable>& over);

}  // namespace haruspex::sare
